import type { Block, Inline, MailMessage } from './message.ts';

/** Content-ID of the picture at the top. */
export const LOGO_CID = 'logotipo@huella';

const INK = '#1B1F1D';
const CARD_TEXT = '#4A534E';
const MUTED = '#66706B';
const LINE = '#E4E2DC';
const PAPER = '#F4F2ED';
const ACCENT = '#06684F';
const FILL = '#0F7B5F';

/**
 * For mail programs in dark mode. It selects by the inline colours, so no element needs a class, and a program that
 * ignores style sheets shows the light version.
 */
const DARK = `@media (prefers-color-scheme:dark){${[
  [`background:${PAPER}`, 'background:#121514'],
  ['background:#FFFFFF', 'background:#1A1E1C'],
  [`color:${INK}`, 'color:#E8ECEA'],
  [`color:${CARD_TEXT}`, 'color:#C3CAC6'],
  [`color:${MUTED}`, 'color:#9AA5A0'],
  [`color:${ACCENT}`, 'color:#77C1A6'],
  [`solid ${LINE}`, 'border-color:#2C322F'],
]
  .map(([light, dark]) => `[style*="${light}"]{${dark}!important}`)
  .join('')}.logo{background:#FFFFFF;border-radius:6px;padding:6px}}`;

const FONT = "font-family:Inter,'Segoe UI',Arial,Helvetica,sans-serif";

/**
 * The message as HTML: tables and inline styles, because every mail program renders those alike. The only style sheet
 * gives phones narrower margins; without it the message is merely wider.
 */
export function htmlOf(message: MailMessage): string {
  return `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(message.subject)}</title>
<style>@media (max-width:480px){.pagina{padding:20px 12px!important}.tarjeta{padding:28px 24px!important}}${DARK}</style>
</head>
<body style="margin:0;padding:0;background:${PAPER};color:${INK};${FONT};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(message.preheader)}${'&#8199;&#65279;'.repeat(60)}</div>
<div role="main">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${PAPER}">
<tr><td class="pagina" align="center" style="padding:28px 36px 32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:528px">
<tr><td style="padding:0 0 22px">${brand(message.brand)}</td></tr>
<tr><td class="tarjeta" style="background:#FFFFFF;border:1px solid ${LINE};border-radius:12px;padding:40px 40px 26px">
${message.blocks.map(blockHtml).join('\n')}
</td></tr>
<tr><td style="padding:16px 4px 0;font-size:12px;line-height:18px;color:${MUTED};${FONT}">${message.foot.map(escapeHtml).join('<br>')}</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>`;
}

function brand(who: MailMessage['brand']): string {
  if (who.kind === 'company') {
    if (!who.logo)
      return `<div style="font-size:17px;line-height:24px;font-weight:600">${escapeHtml(who.name)}</div>`;
    const { width, height, alt } = who.logo;
    return `<img class="logo" src="cid:${LOGO_CID}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" style="display:block;border:0;font-size:17px;font-weight:600;color:${INK}">`;
  }
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td style="padding-right:8px"><img src="cid:${LOGO_CID}" width="22" height="22" alt="" style="display:block;border:0"></td>
<td style="font-size:17px;line-height:24px;font-weight:650;letter-spacing:-0.03em;color:${INK};${FONT}">Huella</td>
</tr></table>`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h1 style="margin:0 0 14px;font-size:23px;line-height:30px;font-weight:600;letter-spacing:-0.02em;color:${INK};${FONT}">${escapeHtml(block.text)}</h1>`;
    case 'subheading':
      return `<h2 style="margin:0 0 12px;font-size:15px;line-height:22px;font-weight:600;letter-spacing:-0.008em;color:${INK};${FONT}">${escapeHtml(block.text)}</h2>`;
    case 'paragraph':
      return paragraph(block.text, block.tone);
    case 'amount':
      return `<p style="margin:0 0 18px;font-size:32px;line-height:40px;font-weight:650;letter-spacing:-0.02em;color:${INK};white-space:nowrap;font-variant-numeric:tabular-nums;${FONT}">${escapeHtml(block.text)}</p>`;
    case 'code':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td align="center" style="background:${PAPER};border-radius:8px;padding:17px 12px;font-size:32px;line-height:40px;font-weight:600;letter-spacing:0.12em;color:${INK};white-space:nowrap;font-variant-numeric:tabular-nums;${FONT}">${escapeHtml(block.text)}</td></tr></table>`;
    case 'button':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:2px 0 30px"><tr><td style="background:${FILL};border-radius:8px"><a href="${escapeHtml(block.href)}" style="display:inline-block;padding:9px 20px;font-size:15px;line-height:22px;font-weight:600;color:#FFFFFF;text-decoration:none;${FONT}">${escapeHtml(block.label)}</a></td></tr></table>`;
    case 'signature':
      return `<p style="margin:0 0 15px;font-size:15px;line-height:22px;color:${INK};${FONT}">${escapeHtml(block.name)}<br><span style="font-size:14px;color:${CARD_TEXT}">${escapeHtml(block.detail)}</span></p>`;
    case 'rule':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td style="border-top:1px solid ${LINE};font-size:0;line-height:0">&nbsp;</td></tr></table>`;
    case 'steps':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 8px">${block.steps.map(stepHtml).join('')}</table>`;
    case 'rows':
      return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:2px 0 24px">${block.rows
        .map(
          ({ label, value, isStrong }) =>
            `<tr><th scope="row" align="left" valign="top" style="${label.length <= SHORT_LABEL ? 'white-space:nowrap;' : ''}border-top:1px solid ${LINE};padding:7px 16px 7px 0;font-size:14px;line-height:20px;font-weight:${isStrong ? 600 : 400};color:${CARD_TEXT};${FONT}">${escapeHtml(label)}</th><td align="right" valign="top" style="word-break:break-word;overflow-wrap:anywhere;border-top:1px solid ${LINE};padding:7px 0;font-size:14px;line-height:20px;font-weight:${isStrong ? 600 : 400};color:${INK};font-variant-numeric:tabular-nums;${FONT}">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>`;
    case 'box':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 18px"><tr><td style="background:${PAPER};border-radius:8px;padding:14px 16px;font-size:13px;line-height:19px;color:${INK};${FONT}">${inlines(block.text)}</td></tr></table>`;
    case 'quote':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 18px"><tr><td style="border-left:2px solid ${LINE};padding:2px 0 2px 14px;font-size:15px;line-height:22px;color:${INK};${FONT}">${escapeHtml(block.text).replaceAll('\n', '<br>')}</td></tr></table>`;
  }
}

/** «Base imponible» stays on one line beside a long value; a longer label would push that off a phone's screen. */
const SHORT_LABEL = 14;

function paragraph(text: readonly Inline[], tone: 'muted' | 'eyebrow' | undefined): string {
  const size = tone ? '14px;line-height:21px' : '15px;line-height:22px';
  const color = { muted: CARD_TEXT, eyebrow: MUTED, none: INK }[tone ?? 'none'];
  const margin = tone === 'eyebrow' ? '0 0 6px' : '0 0 15px';
  // The line above an amount names the message: for screen readers it is the title.
  const [tag, weight] = tone === 'eyebrow' ? ['h1', ';font-weight:400'] : ['p', ''];
  return `<${tag} style="margin:${margin};font-size:${size}${weight};color:${color};${FONT}">${inlines(text)}</${tag}>`;
}

function stepHtml(step: { title: string; detail: string }, index: number): string {
  return `<tr><td width="20" valign="top" style="padding:0 0 12px;font-size:14px;line-height:21px;font-weight:600;color:${ACCENT};${FONT}">${index + 1}</td><td style="padding:0 0 12px;font-size:14px;line-height:21px;color:${CARD_TEXT};${FONT}"><strong style="font-weight:600;color:${INK}">${escapeHtml(step.title)}</strong><br>${escapeHtml(step.detail)}</td></tr>`;
}

function inlines(text: readonly Inline[]): string {
  return text
    .map((inline) => {
      if (typeof inline === 'string') return escapeHtml(inline);
      return 'strong' in inline
        ? `<strong style="font-weight:600">${escapeHtml(inline.strong)}</strong>`
        : `<a href="${escapeHtml(inline.href)}" style="color:${ACCENT};text-decoration:underline">${escapeHtml(inline.link)}</a>`;
    })
    .join('');
}

/** Escapes any text for HTML: nothing in it is a tag or ends an attribute. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
