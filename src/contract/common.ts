import { z } from 'zod';

/** Every 4xx and 5xx answer: Spanish sentences for their reader. */
export const ErrorBody = z.object({
  message: z.union([z.string(), z.array(z.string())]),
  errores: z.array(z.string()).optional(),
  codigo: z.string().optional(),
  /** Ours: number of the company's own invoice that the refusal concerns. */
  DocNo: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const Empty = z.object({});

/** 304, without a body: what was requested still matches `If-None-Match`. */
export const Unchanged = z.null().describe('Sigue como dice If-None-Match');

/** An option of a select: the stored value and the text. */
export const Option = z.object({ value: z.string(), label: z.string() });
export type Option = z.infer<typeof Option>;

const NO_DAY = 'La fecha debe ser un día que exista, con la forma AAAA-MM-DD.';

/** A calendar day: `2026-02-29` is not one, nor is any of the year 0, which PostgreSQL lacks. */
export const IsoDate = z.iso.date(NO_DAY).refine((day) => !day.startsWith('0000'), NO_DAY);

/** `{No}` of a call about one document, customer or product. */
export const ByNo = z.object({ No: z.string().min(1).max(80) });

export const Message = z.object({ message: z.string() });
