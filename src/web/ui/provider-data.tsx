/** A piece of the provider's data; one that is not configured looks like a placeholder. */
export function Datum({ text }: { readonly text: string }) {
  return <span className={isMissing(text) ? 'hu-placeholder' : undefined}>{text}</span>;
}

export function Phone({ text }: { readonly text: string }) {
  if (isMissing(text)) return <Datum text={text} />;
  return <a href={`tel:${text.replace(/[^+\d]/g, '')}`}>{text}</a>;
}

export function Mail({ text }: { readonly text: string }) {
  if (isMissing(text)) return <Datum text={text} />;
  return <a href={`mailto:${text}`}>{text}</a>;
}

const isMissing = (text: string): boolean => text.startsWith('[');
