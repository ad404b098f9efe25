import type { Option } from '../../../contract/common.ts';

/** Of the fields that keep a code, what the list shows in its place. */
export type Labels<Row> = Readonly<Partial<Record<keyof Row, readonly Option[]>>>;

/** The same by field and code: a list of thousands is looked through with it. */
export type LabelIndex = ReadonlyMap<string, ReadonlyMap<unknown, string>>;

export function indexLabels<Row>(labels: Labels<Row>): LabelIndex {
  const fields = Object.entries(labels) as [string, readonly Option[]][];
  return new Map(
    fields.map(([field, options]) => [
      field,
      new Map(options.map(({ value, label }) => [value, label])),
    ]),
  );
}
