import { Button } from '@mantine/core';
import { IconDownload, IconSignature } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { FormatoElectronico, InvoiceDetail } from '../../../../contract/invoices.ts';
import { type IssuedInvoice, isSimplified } from '../../../../domain/invoice.ts';
import { saveFile } from '../../../lib/download.ts';
import { errorMessages, httpFile } from '../../../lib/http.ts';
import { requireToken } from '../../../lib/require-token.ts';
import classes from './electronic-card.module.css';

interface Choice {
  readonly formato: FormatoElectronico;
  readonly button: string;
  readonly what: string;
}

const SIGNED: FormatoElectronico = 'facturae-firmada';

const CHOICES: readonly Choice[] = [
  {
    formato: SIGNED,
    button: 'Firmar y descargar Facturae',
    what: 'Para las administraciones (FACe). Se firma ahora, con el certificado de tu empresa.',
  },
  {
    formato: 'facturae',
    button: 'Facturae sin firmar',
    what: 'Para firmarla tú con otro programa, como AutoFirma.',
  },
  {
    formato: 'ubl',
    button: 'UBL',
    what: 'Para las empresas que la piden en el formato europeo (EN 16931).',
  },
];

/**
 * The invoice as a file for programs. A refusal is shown below the button that was pressed. What would always be
 * refused is not offered: a simplified invoice in any format, and the signature of an invoice without effect.
 */
export function ElectronicCard({ detail }: { readonly detail: InvoiceDetail }) {
  const { DocNo: docNo, Status, Tipo } = detail.fila;
  if (Status === 'Borrador' || isSimplified(Tipo)) return null;
  const why = whyUnsigned(detail);
  return (
    <section className={`hu-card ${classes.card}`} aria-labelledby="factura-electronica">
      <h2 id="factura-electronica" className={classes.title}>
        Factura electrónica
      </h2>
      {(why ? unsignedChoices(why) : CHOICES).map((choice) => (
        <ElectronicChoice key={choice.formato} docNo={docNo} {...choice} />
      ))}
    </section>
  );
}

function whyUnsigned({ fila, emitida }: InvoiceDetail): string | null {
  const { esDemo } = (emitida ?? {}) as Partial<IssuedInvoice>;
  if (esDemo) return 'Es una factura de demostración, sin validez fiscal, y no se firma.';
  return fila.Status === 'Anulada' ? 'Está anulada y ya no se firma.' : null;
}

function unsignedChoices(why: string): Choice[] {
  return CHOICES.filter(({ formato }) => formato !== SIGNED).map((choice) =>
    choice.formato === 'facturae' ? { ...choice, what: why } : choice,
  );
}

function ElectronicChoice({ docNo, formato, button, what }: Choice & { readonly docNo: string }) {
  const Icon = formato === SIGNED ? IconSignature : IconDownload;
  const download = useMutation({
    mutationFn: async () => {
      requireToken('El token ha caducado');
      const { file, name } = await httpFile('/api/PostData/DescargarFacturaElectronica', {
        json: { No: docNo, formato },
      });
      saveFile(file, name ?? 'factura.xml');
    },
  });
  return (
    <div className={classes.choice}>
      <Button
        variant="default"
        loading={download.isPending}
        leftSection={<Icon size={16} stroke={1.8} aria-hidden="true" />}
        onClick={() => download.mutate()}
      >
        {button}
      </Button>
      <p className="hu-muted">{what}</p>
      <div role="alert" className={classes.refusal}>
        {download.error &&
          errorMessages(download.error).map((sentence) => <p key={sentence}>{sentence}</p>)}
      </div>
    </div>
  );
}
