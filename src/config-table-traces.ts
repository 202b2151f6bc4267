/** The settings of traces. Their names and meanings are those of OpenTelemetry, not of this service. */
import { optional, setting } from './config-setting.ts';
import { oneOf, parseBoolean, parseRatio, parseText, urlWith } from './config-values.ts';

export const TRACE_SETTINGS = {
  otelEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'URL',
    urlWith('http:', 'https:'),
    'The collector of traces, such as http://127.0.0.1:4318; spans are posted to /v1/traces below it. If no endpoint is set, nothing is traced. The SDK also reads the standard variables OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_… (HEADERS, TIMEOUT, COMPRESSION, CERTIFICATE).',
  ),
  otelTracesEndpoint: optional(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'URL',
    urlWith('http:', 'https:'),
    'The whole URL to which spans are posted, in place of OTEL_EXPORTER_OTLP_ENDPOINT.',
  ),
  otelProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'http/protobuf',
    oneOf('http/protobuf'),
    'http/protobuf',
    'The protocol of the collector.',
  ),
  otelDisabled: setting(
    'OTEL_SDK_DISABLED',
    'boolean',
    parseBoolean,
    'false',
    'If true, nothing is traced, whatever else is set.',
  ),
  otelTracesExporter: setting(
    'OTEL_TRACES_EXPORTER',
    'otlp or none',
    oneOf('otlp', 'none'),
    'otlp',
    'If none, nothing is traced.',
  ),
  otelServiceName: setting(
    'OTEL_SERVICE_NAME',
    'text',
    parseText,
    'utility-api',
    'The name of the service in its traces.',
  ),
  otelSampler: setting(
    'OTEL_TRACES_SAMPLER',
    'sampler',
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'parentbased_always_on',
    'The requests that are traced: always_on, always_off or traceidratio; with parentbased_ before it, the decision of a trusted proxy counts first.',
  ),
  otelSamplerRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '0–1',
    parseRatio,
    '1',
    'The part of the requests that traceidratio traces.',
  ),
} as const;
