import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { findCompany } from '../store/companies.ts';
import { enqueueMails } from '../store/mail-jobs.ts';
import { assertMayTry, SUPPORT_MAILS } from './attempts.ts';
import type { Keep } from './keep-answer.ts';

/**
 * Sends a company's question to the provider's mailbox, with its identity and version, and a copy to the company.
 *
 * @throws {DomainError} BAD_REQUEST; TOO_MANY_REQUESTS
 */
export async function sendSupportMail(
  deps: Deps,
  companyId: number,
  { asunto, body }: { readonly asunto: string; readonly body: string },
  keep: Keep<void>,
): Promise<void> {
  const sentences = [
    ...(asunto.trim() ? [] : ['Escribe el asunto de tu consulta.']),
    ...(/[\r\n]/.test(asunto) ? ['El asunto debe caber en una sola línea.'] : []),
    ...(body.trim() ? [] : ['Escribe tu mensaje.']),
  ];
  if (sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
  await assertMayTry(deps, `soporte:${companyId}`, SUPPORT_MAILS);
  const company = await findCompany(deps.sql, companyId);
  const now = deps.clock();
  const text = { asunto: asunto.trim(), body: body.trim() };
  await deps.sql.begin(async (tx) => {
    await enqueueMails(tx, companyId, [
      {
        content: { kind: 'soporte', ...text, version: deps.config.version },
        recipient: supportMailbox(deps),
        now,
      },
      ...(company
        ? [{ content: { kind: 'soporte-copia' as const, ...text }, recipient: company.email, now }]
        : []),
    ]);
    await keep(tx);
  });
  deps.wakeMail();
}

/** Brackets mean that the address is not configured yet: the simulated mailbox accepts it all the same. */
function supportMailbox({ config }: Pick<Deps, 'config'>): string {
  return config.empresa.correo.replace(/^\[(.*)\]$/, '$1');
}
