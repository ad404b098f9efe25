/**
 * A message as its template defines it. HTML and plain text are made from the same blocks, so they never say
 * different things.
 */

/** Part of a sentence. */
export type Inline =
  | string
  | { readonly strong: string }
  | { readonly link: string; readonly href: string };

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'subheading'; readonly text: string }
  | {
      readonly kind: 'paragraph';
      readonly text: readonly Inline[];
      /** `muted` for secondary text, `eyebrow` for the line above an amount. */
      readonly tone?: 'muted' | 'eyebrow';
    }
  | { readonly kind: 'signature'; readonly name: string; readonly detail: string }
  | { readonly kind: 'amount'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'button'; readonly label: string; readonly href: string }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'steps';
      readonly steps: readonly { readonly title: string; readonly detail: string }[];
    }
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'box'; readonly text: readonly Inline[] }
  /** Text of the user's, with its line breaks. */
  | { readonly kind: 'quote'; readonly text: string };

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly isStrong?: boolean;
}

/** A picture embedded in the message. */
export interface Logo {
  readonly png: Buffer;
  /** In pixels of the page; the picture has at least twice the resolution. */
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

export interface MailMessage {
  readonly subject: string;
  /** Shown after the subject in lists of messages. */
  readonly preheader: string;
  /** Name of the sender; the address is always ours. */
  readonly fromName: string;
  readonly replyTo: string | null;
  /** At the top of the card: our logo, or the company that writes to its client. */
  readonly brand:
    | { readonly kind: 'huella' }
    | { readonly kind: 'company'; readonly name: string; readonly logo: Logo | null };
  readonly blocks: readonly Block[];
  /** Below the card, a line each. */
  readonly foot: readonly string[];
  readonly attachments: readonly {
    readonly fileName: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  }[];
}

/** The same sentences as plain text, links written out. */
export function textOf(message: Pick<MailMessage, 'blocks' | 'foot'>): string {
  const body = message.blocks.map(blockText).filter((text) => text !== '');
  return `${[...body, `-- \n${message.foot.join('\n')}`].join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.text}\n${'='.repeat([...block.text].length)}`;
    case 'subheading':
      return `${block.text}\n${'-'.repeat([...block.text].length)}`;
    case 'paragraph':
    case 'box':
      return block.text.map(inlineText).join('');
    case 'amount':
    case 'code':
      // Grouped only for reading: it is copied without blanks.
      return block.text.replaceAll(' ', '');
    case 'quote':
      return block.text;
    case 'button':
      return `${block.label}: ${block.href}`;
    case 'signature':
      return `${block.name}\n${block.detail}`;
    case 'rule':
      return '';
    case 'steps':
      return block.steps.map((s, i) => `${i + 1}. ${s.title}\n   ${s.detail}`).join('\n');
    case 'rows':
      return block.rows.map((row) => `${row.label}: ${row.value}`).join('\n');
  }
}

function inlineText(inline: Inline): string {
  if (typeof inline === 'string') return inline;
  return 'strong' in inline ? inline.strong : `${inline.link} (${inline.href})`;
}
