import type { Message } from '../correo/mailbox.ts';
import { escapeHtml } from '../http.ts';

const DATE = new Intl.DateTimeFormat('es-ES', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'Europe/Madrid',
});

/** The captured mail as a page. Everything from a message is escaped. */
export function mailboxPage(
  messages: readonly (Message & { readonly id: string })[],
  para: string,
): string {
  const count = messages.length === 1 ? '1 mensaje' : `${messages.length} mensajes`;
  return `<!DOCTYPE html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Buzón de pruebas</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Buzón de pruebas</h1>
<p>Aquí queda el correo que el programa habría enviado. Nada de esto ha salido de tu equipo.</p>
<form method="get">
<label for="para">Dirección</label>
<input id="para" name="para" type="email" value="${escapeHtml(para)}" placeholder="Todas">
<button>Filtrar</button>
</form>
</header>
<main>
<p role="status">${messages.length === 0 ? 'No hay mensajes.' : count}</p>
${messages.map(messageHtml).join('\n')}
</main>
</body>
</html>`;
}

function messageHtml(message: Message & { readonly id: string }, index: number): string {
  return `<article>
<details${index === 0 ? ' open' : ''}>
<summary><strong>${escapeHtml(message.asunto || '(sin asunto)')}</strong>
<span>${escapeHtml(message.para)}</span>
<time datetime="${escapeHtml(message.fecha)}">${escapeHtml(DATE.format(new Date(message.fecha)))}</time></summary>
<dl><dt>De</dt><dd>${escapeHtml(message.de)}</dd><dt>Para</dt><dd>${escapeHtml(message.para)}</dd></dl>
<pre>${escapeHtml(message.texto)}</pre>
${message.html ? htmlPart(message) : ''}
${attachmentsHtml(message)}
</details>
</article>`;
}

/** The sandbox forbids scripts, forms and navigation. */
function htmlPart({ html }: Message): string {
  return `<details><summary>Ver como lo vería el destinatario</summary>
<iframe sandbox title="Mensaje con formato" srcdoc="${escapeHtml(html)}"></iframe></details>`;
}

function attachmentsHtml({ id, adjuntos }: Message & { readonly id: string }): string {
  if (adjuntos.length === 0) return '';
  const items = adjuntos.map(
    ({ nombre, base64 }, index) =>
      `<li><a href="/desarrollo/correo/adjunto?id=${encodeURIComponent(id)}&amp;n=${index}">${escapeHtml(nombre)}</a> (${Math.ceil((base64.length * 3) / 4 / 1024)} KB)</li>`,
  );
  return `<h2>Adjuntos</h2><ul>${items.join('')}</ul>`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1 { margin-bottom: 0; }
h2 { font-size: 1rem; margin-bottom: 0; }
form { display: flex; gap: .5rem; align-items: center; flex-wrap: wrap; }
input, button { font: inherit; padding: .25rem .5rem; }
article { border: 1px solid #8888; border-radius: .5rem; margin: .75rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; }
summary span, summary time { display: inline-block; margin-left: .75rem; opacity: .75; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
iframe { width: 100%; height: 30rem; border: 1px solid #8888; background: white; }
`;
