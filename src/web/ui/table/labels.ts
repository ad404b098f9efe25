import type { Option } from '../../../contract/common.ts';

/** For fields that contain a code: the text that the list shows instead. */
export type Labels<Row> = Readonly<Partial<Record<keyof Row, readonly Option[]>>>;

/** The same by field and code, to search lists of thousands. */
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
