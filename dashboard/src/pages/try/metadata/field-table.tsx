/** The fields of the response, with the tag that each comes from, and the way to the page. */
import { Fragment } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { StatusCode, Tag } from '../../../components/state.tsx';
import { type Field, listFields, type MetadataResult } from './metadata-result.ts';
import classes from './fields.module.css';

/** Shows the redirects, then the fields. */
export function FieldTable({ result }: { result: MetadataResult }) {
  const { details } = result;
  return (
    <>
      {details && <Hops details={details} />}
      {details && typeof details.blocked === 'string' && (
        <p className={classes.note}>
          <Tag meaning="warn">{details.blocked}</Tag> The site sent a wall in place of the page.
        </p>
      )}
      <table className={classes.table}>
        <caption className={classes.caption}>Fields of the response</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {listFields(result).map((field) => (
            <FieldRow key={field.name} field={field} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function FieldRow({ field: { name, value, source, isLast } }: { field: Field }) {
  return (
    <tr data-last={isLast || undefined}>
      <th scope="row">{name}</th>
      <td>{value === null ? <code>null</code> : value}</td>
      <td>{source}</td>
    </tr>
  );
}

function Hops({ details }: { details: NonNullable<MetadataResult['details']> }) {
  const { redirects, final_url: finalUrl, status } = details;
  return (
    <p className={classes.hops}>
      {redirects.map((hop) => (
        <Fragment key={hop.url}>
          <span>{hop.url}</span>
          <Tag>{hop.status}</Tag>
          <Icon name="arrowRight" size={13} />
        </Fragment>
      ))}
      <span>{finalUrl}</span>
      <Tag>
        <StatusCode status={status} />
      </Tag>
    </p>
  );
}
