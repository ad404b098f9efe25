import { AeatClient } from '../../src/dispatch/aeat-client.ts';
import { openCertificate } from '../../src/operations/open-certificate.ts';
import { regFactuXml } from './verifactu.ts';
import type { TestCompany, World } from './world.ts';

/**
 * Sends a registro of another program for the same company: like one of ours, but from another installation and with
 * a huella of its own, which the AEAT accepts with a warning.
 *
 * @param like the `RegistroFactura` of ours that it is based on
 * @param changes its differences
 * @returns the AEAT's answer; null when there was none
 */
export async function sendFromOtherProgram(
  world: World,
  company: Pick<TestCompany, 'id' | 'nif'>,
  like: string,
  {
    NumSerieFactura,
    Huella,
    NumeroInstalacion = 'otra',
  }: {
    readonly NumSerieFactura?: string;
    readonly Huella: string;
    readonly NumeroInstalacion?: string;
  },
): Promise<string | null> {
  const certificate = await openCertificate(world.deps, company.id);
  if (!certificate) throw new Error('The company has no certificate.');
  const registro = like
    .replace(
      /<sum1:Huella>[0-9A-F]{64}<\/sum1:Huella><\/sum1:RegistroAlta>/,
      `<sum1:Huella>${Huella}</sum1:Huella></sum1:RegistroAlta>`,
    )
    .replace(/(<sum1:IDFactura>.*?<sum1:NumSerieFactura>)[^<]*/, (whole, start: string) =>
      NumSerieFactura === undefined ? whole : start + NumSerieFactura,
    )
    .replace(/<sum1:NumeroInstalacion>[^<]*</, `<sum1:NumeroInstalacion>${NumeroInstalacion}<`);
  const message = regFactuXml(
    { ObligadoEmision: { NombreRazon: 'Talleres Prueba, S.L.', NIF: company.nif } },
    [registro],
  );
  const client = new AeatClient(world.runtime);
  const outcome = await client.post(
    { certificate, esDemo: true },
    Buffer.from(message),
    new AbortController().signal,
  );
  await client.close();
  return outcome.kind === 'answer' ? outcome.body : null;
}
