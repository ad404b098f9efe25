/** Where the form was opened: for a new invoice, beside the file it was read from, or from the pending ones. */
export type FormMode = 'create' | 'upload' | 'pending';

/** The label of the main button. */
export const MAIN_LABEL: Readonly<Record<FormMode, string>> = {
  create: 'Enviar factura',
  upload: 'Verificar campos',
  pending: 'Reenviar factura corregida',
};

/** The last check before registering, while it is open: its title, the label of its button, what it proposes. */
export interface Registering {
  readonly title: string;
  readonly verb: string;
  readonly sendsMail: boolean;
}

export const REGISTER: Registering = {
  title: 'Registrar factura',
  verb: 'Registrar',
  sendsMail: false,
};

export const REGISTER_AND_SEND: Registering = {
  title: 'Registrar y enviar al cliente',
  verb: 'Registrar y enviar al cliente',
  sendsMail: true,
};

/**
 * Repeats the label of the main button where that says what happens: an invoice that was never sent is not called «sent
 * again».
 */
export function askedByMain(mode: FormMode, isCorrection: boolean): Registering {
  if (mode === 'upload' || (mode === 'pending' && !isCorrection)) return REGISTER;
  return { title: MAIN_LABEL[mode], verb: MAIN_LABEL[mode], sendsMail: false };
}
