/** The form of what identifies an application and its place at Microsoft, and the sentence for anything else. */
export const ACCESS_FORM = {
  /** A tenant is its GUID or one of its domains. */
  tenant: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9.-]{2,99}$/,
    sentence:
      'El inquilino es un identificador como 0b8f3c52-… o un dominio como empresa.onmicrosoft.com.',
  },
  entorno: {
    pattern: /^[\p{L}\p{N}][\p{L}\p{N}_ -]{0,29}$/u,
    sentence: 'El entorno es un nombre como Production.',
  },
  clientId: {
    pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    sentence: 'El id. de aplicación tiene la forma 00000000-0000-0000-0000-000000000000.',
  },
} as const;

const ACCESS_FIELDS = ['tenant', 'entorno', 'clientId'] as const;
export type AccessField = (typeof ACCESS_FIELDS)[number];

/** The fields that have another form. */
export function wrongAccess(access: Readonly<Record<AccessField, string>>): AccessField[] {
  return ACCESS_FIELDS.filter((field) => !ACCESS_FORM[field].pattern.test(access[field].trim()));
}
