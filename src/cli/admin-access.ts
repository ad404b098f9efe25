import { parseArgs } from 'node:util';
import { DomainError } from '../domain/errors.ts';
import { type AccessChange, giveAccess } from '../operations/give-access.ts';
import { tellProcesses } from '../platform/news.ts';
import type { AdminContext } from './admin-commands.ts';
import { onlyWord } from './only-word.ts';

/** `acceso NIF`: for somebody locked out of their own account, who has proved by other means that it is theirs. */
export async function accessCommand(
  args: readonly string[],
  { sql, now, print }: AdminContext,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'quitar-segundo-factor': { type: 'boolean' },
      correo: { type: 'string' },
      motivo: { type: 'string' },
    },
  });
  const nif = onlyWord(positionals)?.trim().toUpperCase();
  const { correo } = values;
  const changes: AccessChange[] = [
    ...(values['quitar-segundo-factor'] ? [{ kind: 'second-factor' } as const] : []),
    ...(correo === undefined ? [] : [{ kind: 'email', email: correo } as const]),
  ];
  const [change] = changes;
  if (!nif || !change || changes.length > 1) {
    throw new DomainError(
      'BAD_REQUEST',
      'Di de quién y qué: acceso NIF --quitar-segundo-factor, o acceso NIF --correo DIRECCIÓN; con --motivo "TEXTO".',
    );
  }
  const because = values.motivo?.trim() ?? '';
  const company = await giveAccess(sql, nif, change, { because, now });
  await tellProcesses(sql, [company.id]);
  print(
    change.kind === 'email'
      ? `${nif} entra ahora con ${change.email.trim()}, y no con ${company.email}. Se ha dicho a las dos direcciones.`
      : `${nif} entra ahora solo con la contraseña. Se ha dicho a ${company.email}.`,
  );
}
