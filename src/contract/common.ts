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

/** A 500: with the id under which the call is logged (`reqId`). */
export const UnexpectedErrorBody = ErrorBody.extend({ incidencia: z.string().optional() });
export type UnexpectedErrorBody = z.infer<typeof UnexpectedErrorBody>;

export const Empty = z.object({});

/**
 * Text of at most so many characters. A JSON Schema counts code points (`maxLength`), and so does this: an emoji is one
 * character, although two units of UTF-16.
 */
export const text = (longest: number) => limited(z.string(), longest);

/**
 * As {@link text}, of a text with rules of its own.
 *
 * @param message for a schema that has one, which would otherwise be said of its length too
 */
export const limited = <T extends z.ZodType<string>>(
  schema: T,
  longest: number,
  message?: string,
): T =>
  schema
    .check(({ value, issues }) => {
      if (!isLonger(value, longest)) return;
      issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: longest,
        input: value,
        ...(message && { message }),
      });
    })
    .meta({ maxLength: longest });

/** Counts only where the answer is not plain: the longest texts take as much memory again to be counted. */
function isLonger(text: string, longest: number): boolean {
  if (text.length <= longest || text.length > 2 * longest) return text.length > longest;
  return [...text].length > longest;
}

/** A name that may be too long for its rule, which says so together with what else is wrong. */
export const name = (longest: number) => text(300).meta({ maxLength: longest });

/** 304, without a body: what was requested still matches `If-None-Match`. */
export const Unchanged = z.null().describe('Sigue como dice If-None-Match');

/** An option of a select: the stored value and the text. */
export const Option = z.object({ value: z.string(), label: z.string() });
export type Option = z.infer<typeof Option>;

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * A number in JSON, or as text in a form or an address, where an empty text is 0. Nothing else is taken for a number:
 * `true` is not 1.
 */
export const numberOrText = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const text = value.trim();
    return text === '' || NUMBER.test(text) ? Number(text) : value;
  }, schema);

/** Yes or no in an address, where it is a text: the documentation says what it means. */
export const Flag = z.stringbool().default(false).meta({ type: 'boolean', default: false });

const NO_DAY = 'La fecha debe ser un día que exista, con la forma AAAA-MM-DD.';

/** A calendar day: `2026-02-29` is not one, nor is any of the year 0, which PostgreSQL lacks. */
export const IsoDate = z.iso.date(NO_DAY).refine((day) => !day.startsWith('0000'), NO_DAY);

/** The number of a document, customer or product. */
export const No = limited(z.string().min(1), 80);

/** `{No}` of a call about one of them. */
export const ByNo = z.object({ No });

export const Message = z.object({ message: z.string() });
