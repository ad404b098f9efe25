import { escapeHtml } from '../http.ts';
import type { Operacion } from './operations.ts';

const DATE = new Intl.DateTimeFormat('es-ES', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Madrid',
});

/** `5399` → `53,99 €`. */
export function euros(cents: string): string {
  const digits = cents.padStart(3, '0');
  const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${units},${digits.slice(-2)}\u00a0€`;
}

const OUTCOMES = [
  ['autorizar', 'Autorizar'],
  ['tarde', 'Autorizar y avisar tarde (30 s)'],
  ['denegar', 'Denegar (código 0190)'],
  ['dos', 'Autorizar y avisar dos veces'],
  ['nunca', 'Autorizar y no avisar'],
  ['vuelta', 'Autorizar y avisar solo en la vuelta'],
  ['firma', 'Autorizar y avisar con firma falsa'],
] as const;

/** The page where the card is typed: deliberately unlike any bank's, and unlike ours. */
export function cardPage(operacion: Operacion, problem?: string): string {
  const pay = `Pagar ${euros(operacion.Ds_Amount)}`;
  return page(
    'Pago con tarjeta (simulación)',
    `<form method="post" action="/sis/pagar">
<input type="hidden" name="pedido" value="${escapeHtml(operacion.Ds_Order)}">
<div class="card">
${details(operacion)}
<section>
<h1>Pago con tarjeta</h1>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
<p class="field"><label for="numero">Número de tarjeta</label>
<input id="numero" name="numero" inputmode="numeric" autocomplete="off" required value="4548 8100 0000 0003"></p>
<div class="two">
<p class="field"><label for="caducidad">Caducidad</label>
<input id="caducidad" name="caducidad" inputmode="numeric" autocomplete="off" required value="12/34"></p>
<p class="field"><label for="cvv">Código de seguridad</label>
<input id="cvv" name="cvv" inputmode="numeric" autocomplete="off" required value="123"></p>
</div>
<p class="buttons"><button>${pay}</button>
<button class="plain" formaction="/sis/cancelar" formnovalidate>Cancelar</button></p>
</section>
</div>
<fieldset>
<legend>Qué debe responder la pasarela simulada</legend>
<div class="choices">
${OUTCOMES.map(
  ([value, label], index) =>
    `<label><input type="radio" name="respuesta" value="${value}"${index === 0 ? ' checked' : ''}> ${label}</label>`,
).join('\n')}
</div>
</fieldset>
</form>`,
  );
}

/** The bank's check: the code that it would have sent to the phone. */
export function challengePage(operacion: Operacion): string {
  return page(
    'Comprobación del banco (simulación)',
    `<form method="post" action="/sis/autenticar">
<input type="hidden" name="pedido" value="${escapeHtml(operacion.Ds_Order)}">
<div class="card">
${details(operacion)}
<section>
<h1>Comprueba que eres tú</h1>
<p>Tu banco te ha enviado un código al móvil. En esta simulación es siempre 123456.</p>
<p class="field"><label for="codigo">Código recibido</label>
<input id="codigo" name="codigo" inputmode="numeric" autocomplete="off" required></p>
<p class="buttons"><button>Confirmar</button>
<button class="plain" formaction="/sis/cancelar" formnovalidate>Cancelar</button></p>
</section>
</div>
</form>`,
  );
}

/** A request that never gets as far as a card: Redsys shows its code and notifies nobody. */
export function errorPage(code: string, text: string): string {
  return page(
    'Operación rechazada (simulación)',
    `<div class="card alone"><section><h1>No se puede realizar la operación</h1>
<p>${escapeHtml(text)}</p><p>Código de error: <strong>${escapeHtml(code)}</strong></p></section></div>`,
  );
}

function details(operacion: Operacion): string {
  const rows = [
    ['Comercio', operacion.titulo],
    ['Concepto', operacion.concepto],
    ['Pedido', operacion.Ds_MerchantData || operacion.Ds_Order],
    ['Fecha', DATE.format(new Date(operacion.fecha)).replace(',', '')],
  ];
  return `<section class="details" aria-labelledby="datos">
<h2 id="datos">Datos de la operación</h2>
<dl><dt>Importe</dt><dd class="amount">${euros(operacion.Ds_Amount)}</dd>
${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`).join('\n')}
</dl>
</section>`;
}

function page(title: string, content: string): string {
  return `<!DOCTYPE html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>SIMULACIÓN · Esta pasarela no es un banco: no cobra nada y no guarda lo que escribas</header>
<main>
${content}
</main>
</body>
</html>`;
}

const STYLE = `
:root { color-scheme: light; font: 15px/1.4 Arial, Helvetica, sans-serif; color: #1f2329; }
* { box-sizing: border-box; }
body { margin: 0; background: #eceef1; }
header { padding: 13px 20px; border-bottom: 1px solid #d9a93f; font-weight: 700; text-align: center; color: #4a3600;
  background: repeating-linear-gradient(135deg, #ffd97a 0 22px, #ffe4a0 22px 44px); }
main { max-width: 920px; margin: 0 auto; padding: 49px 20px 40px; }
.card { display: grid; grid-template-columns: 320px 1fr; border: 1px solid #cdd1d8; border-radius: 4px; background: #fff; overflow: hidden; }
.card.alone { display: block; }
.card section { padding: 32px; }
.details { border-right: 1px solid #cdd1d8; background: #f6f7f9; }
h1, h2 { margin: 0 0 20px; font-size: 18px; line-height: 24px; }
dl { margin: 0; }
dt { color: #5a616c; font-size: 13px; }
dd { margin: 2px 0 14px; font-weight: 700; overflow-wrap: anywhere; }
dd.amount { font-size: 30px; line-height: 36px; }
.field { margin: 0 0 18px; }
.field label { display: block; margin-bottom: 5px; font-size: 14px; font-weight: 700; }
.field input { width: 100%; height: 42px; padding: 0 12px; border: 1px solid #8b929d; border-radius: 3px; font: inherit; font-size: 16px; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
.buttons { display: flex; flex-wrap: wrap; gap: 12px; margin: 8px 0 0; }
button { min-height: 44px; padding: 0 22px; border: 1px solid #2e3844; border-radius: 3px; background: #2e3844; color: #fff; font: inherit; font-weight: 700; cursor: pointer; }
button.plain { border-color: #6c7480; background: #fff; color: #1f2329; }
.problem { padding: 10px 12px; border: 1px solid #b3261e; border-radius: 3px; background: #fdecea; color: #8c1d18; }
fieldset { position: relative; min-width: 0; margin: 24px 0 0; padding: 52px 32px 24px; border: 1px solid #d9b85f; border-radius: 4px; background: #fff7e0; }
legend { position: absolute; top: 22px; left: 32px; padding: 0; font-weight: 700; }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 24px; }
.choices label { display: flex; align-items: center; gap: 10px; min-height: 24px; font-size: 14px; }
input[type=radio] { flex: none; width: 16px; height: 16px; margin: 0; accent-color: #7a5800; }
:focus-visible { outline: 2px solid #1a5fb4; outline-offset: 2px; }
@media (max-width: 719px) {
  main { padding: 20px 12px 32px; }
  .card, .choices { grid-template-columns: 1fr; }
  .card section { padding: 20px; }
  .details { border-right: 0; border-bottom: 1px solid #cdd1d8; }
  fieldset { padding: 52px 20px 16px; }
  legend { left: 20px; right: 20px; top: 18px; }
}
`;
