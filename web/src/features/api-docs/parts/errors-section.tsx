// Errors: the statuses, the body, the codes.
import { fieldsOf, statusesOf, type ApiDocument } from '../model/document.ts';
import { FieldList } from './field-list.tsx';
import { Rows } from './section.tsx';

const CELL = 'px-3 py-2 align-top';

export function ErrorTables({ document: api }: { document: ApiDocument }) {
  const error = api.components.schemas['Error'];
  return (
    <>
      <p className="mt-2 mb-4 text-16 text-ink-2">
        The status says what kind of answer it is. In the body of an error, the code is stable and meant for
        programs; the text is meant for people.
      </p>
      <Table
        caption="Statuses"
        head={['Status', 'Meaning']}
        rows={statusesOf(api).map(({ status, description }) => [String(status), description])}
      />
      {error === undefined ? null : (
        <div className="mt-6">
          <h3 className="mb-2 text-16 font-semibold">The body of an error</h3>
          <FieldList label="The body of an error" fields={fieldsOf(error)} />
        </div>
      )}
      <h3 className="mt-6 mb-2 text-16 font-semibold">Codes</h3>
      <Table
        caption="Codes"
        head={['Code', 'Status', 'Text']}
        rows={api['x-error-codes'].map(({ code, status, description }) => [
          code,
          String(status),
          description,
        ])}
      />
    </>
  );
}

interface TableProps {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The first column names the row. On a phone the last cell stands below the others where they are long. */
export function Table({ caption, head, rows }: TableProps) {
  return (
    <Rows count={rows.length + 1}>
      <table className="w-full text-left text-14">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-line-1 text-13 text-ink-2 max-sm:sr-only">
          <tr>
            {head.map((title) => (
              <th key={title} scope="col" className={`${CELL} font-medium`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line-1">
          {rows.map(([name = '', ...rest]) => (
            <tr key={name} className="max-sm:flex max-sm:flex-wrap max-sm:py-1">
              <th
                scope="row"
                className={`${CELL} nums font-mono text-13 font-medium whitespace-nowrap max-sm:py-1`}
              >
                {name}
              </th>
              {rest.map((text, index) => (
                <td
                  key={head[index + 1]}
                  className={`${CELL} nums text-ink-2 max-sm:py-1 max-sm:last:min-w-4/5 max-sm:last:flex-1`}
                >
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Rows>
  );
}
