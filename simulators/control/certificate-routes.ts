import {
  type HolderRequest,
  isPersona,
  issueHolderCertificate,
} from '../aeat/certificates/holder-certificate.ts';
import { legacyPkcs12 } from '../aeat/certificates/legacy-pkcs12.ts';
import { modernPkcs12 } from '../aeat/certificates/pkcs12.ts';
import { HttpError } from '../http.ts';
import type { Routes } from './server.ts';

const PASSWORD = 'prueba';

export const certificateRoutes: Routes = {
  'GET /desarrollo/certificado': async ({ response, query }, { authority }) => {
    const holder = holderRequestOf(query);
    const isLegacy = choice(query, 'formato', ['moderno', 'antiguo']) === 'antiguo';
    const identity = await issueHolderCertificate(authority, holder);
    const request = {
      identity,
      ca: authority.ca.cert,
      friendlyName: holder.nombre,
      password: PASSWORD,
    };
    const file = isLegacy ? legacyPkcs12(request) : await modernPkcs12(request);
    response.writeHead(200, {
      'content-type': 'application/x-pkcs12',
      'content-disposition': `attachment; filename="${fileNameOf(holder, isLegacy)}"`,
      'content-length': file.length,
    });
    response.end(file);
  },
};

/** @throws {HttpError} 400 */
function holderRequestOf(query: URLSearchParams): HolderRequest {
  const nif = (query.get('nif') ?? '').trim().toUpperCase();
  if (!/^[A-Z0-9]{9}$/.test(nif)) {
    throw new HttpError(400, 'Indica en nif los 9 caracteres del titular.');
  }
  const nombre = (query.get('nombre') ?? '').trim() || `TITULAR DE PRUEBAS ${nif}`;
  if (nombre.length > 120) throw new HttpError(400, 'El nombre pasa de 120 caracteres.');
  const tipo = choice(query, 'tipo', ['persona', 'sello']);
  if (tipo === 'sello' && isPersona(nif)) {
    throw new HttpError(400, 'El sello es de entidades: una persona usa tipo=persona.');
  }
  return { nif, nombre, tipo, isExpired: query.get('caducado') === '1' };
}

/** The first one is the default. */
function choice<T extends string>(query: URLSearchParams, name: string, values: readonly T[]): T {
  const given = query.get(name) ?? values[0];
  const found = values.find((value) => value === given);
  if (!found) throw new HttpError(400, `${name} debe ser ${values.join(' o ')}.`);
  return found;
}

function fileNameOf({ nif, tipo, isExpired }: HolderRequest, isLegacy: boolean): string {
  const parts = ['certificado', nif];
  if (tipo === 'sello') parts.push('sello');
  if (isLegacy) parts.push('antiguo');
  if (isExpired) parts.push('caducado');
  return `${parts.join('-')}.p12`;
}
