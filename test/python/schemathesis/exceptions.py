"""The exceptions that schemathesis.toml cannot express, each with its reason."""

from __future__ import annotations

from typing import Any

import schemathesis

# The operations in which null in an optional member means that it is absent, for clients that serialize unset
# members as null. The document does not say so: every member of every generated client would become nullable.
NULL_IS_ABSENT = {
    "validateEmailBatch": {"emails"},
    "getMetadataBatch": {"urls"},
    "generatePdf": {"html"},
}


@schemathesis.hook
def filter_case(context: Any, case: Any) -> bool:
    """Leave out bodies with null in an optional member, which the check expects to be refused."""
    required = NULL_IS_ABSENT.get(case.operation.definition.raw.get("operationId"))
    if required is None or not isinstance(case.body, dict):
        return True
    return not any(value is None for name, value in case.body.items() if name not in required)


# Any text is a list of addresses, so no body of these types is invalid. Their tests are those of the API.
TEXT_TYPES = ("text/csv", "application/x-ndjson")


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Leave out the bodies of lines, of which no generated one is invalid."""
    for path in raw_schema["paths"].values():
        for operation in path.values():
            content = operation.get("requestBody", {}).get("content", {})
            for media_type in TEXT_TYPES:
                content.pop(media_type, None)
