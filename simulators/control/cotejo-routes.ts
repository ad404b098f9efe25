import { type Cotejo, type CotejoQuery, cotejar } from '../aeat/cotejo.ts';
import { escapeHtml, sendHtml, sendJson } from '../http.ts';
import type { Routes } from './server.ts';

export const cotejoRoutes: Routes = {
  /** The AEAT's answer to a QR as a page; with `formato=json`, as data. */
  'GET /wlpl/TIKE-CONT/ValidarQR': async ({ response, query }, { store, behaviour }) => {
    const factura = {
      nif: query.get('nif'),
      numserie: query.get('numserie'),
      fecha: query.get('fecha'),
      importe: query.get('importe'),
    };
    const cotejo = cotejar(factura, store, behaviour.noContrastables);
    if (query.get('formato') === 'json') sendJson(response, 200, cotejo);
    else sendHtml(response, 200, cotejoPage(factura, cotejo));
  },
};

const EXPLANATIONS = {
  '00': 'La factura está en el simulador de la AEAT.',
  '01': 'El simulador de la AEAT no tiene una factura con estos datos.',
  '02': 'La factura es de un programa que no envía sus registros: no se puede contrastar.',
} as const;

function explanationOf(cotejo: Cotejo): string {
  return cotejo.status === 'OK'
    ? EXPLANATIONS[cotejo.respuesta.resultado]
    : 'La dirección del QR no es correcta.';
}

function cotejoPage(factura: CotejoQuery, cotejo: Cotejo): string {
  const rows = Object.entries(factura).map(
    ([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`,
  );
  return `<!DOCTYPE html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cotejo de factura (simulador)</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 0 auto; padding: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${escapeHtml(cotejo.mensaje)}</h1>
<p>${explanationOf(cotejo)}</p>
<dl>${rows.join('')}</dl>
</body>
</html>`;
}
