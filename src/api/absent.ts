import { validatorCompiler } from 'fastify-type-provider-zod';

/**
 * The validator of every call: a null in a JSON body counts as a field that was left out, since many programs write
 * one for the other. Only bodies that are refused as they are get validated again without nulls.
 */
export const lenientCompiler: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  return (data: unknown) => {
    const asItCame = validate(data);
    if (!isRefused(asItCame) || !hasNull(data)) return asItCame;
    return validate(withoutNulls(data));
  };
};

function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'error' in outcome;
}

function hasNull(value: unknown): boolean {
  if (value === null) return true;
  return isPlain(value) && Object.values(value).some(hasNull);
}

/** Without the fields that are null, at any depth; a null in a list stays, because its position matters. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null ? [] : [[name, withoutNulls(inner)]],
    ),
  );
}

/** A JSON object or list, not the bytes of a file. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value);
}
