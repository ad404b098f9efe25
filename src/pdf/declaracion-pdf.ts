import type { Apartado, DeclaracionResponsable } from '../domain/verifactu/declaracion.ts';
import { drawArtifact, drawLines, drawRule, drawTagged, drawText, wrapText } from './canvas.ts';
import { closeDocument, type OpenDocument, openDocument } from './document.ts';
import { BODY, FOOT, INK, MUTED, type TextStyle } from './styles.ts';

const LEFT = 24;
const RIGHT = 186;
const TOP = 28;
const BOTTOM = 270;
const STEP = 5;

const TITLE: TextStyle = { weight: 700, size: 15, color: INK };
const HEAD: TextStyle = { weight: 600, size: 10, color: INK };
const TEXT: TextStyle = { weight: 400, size: 10, color: BODY };
const PART: TextStyle = { weight: 600, size: 12, color: INK };
const NOTE: TextStyle = { weight: 400, size: 9, color: MUTED };

/** The declaración responsable as PDF: tagged, in Spanish, with its data in the order of the law. */
export async function declaracionPdf(
  { titulo, version, apartados, anexo }: DeclaracionResponsable,
  { author, day }: { readonly author: string; readonly day: string },
): Promise<Uint8Array> {
  const open = openDocument({ title: `Declaración responsable, versión ${version}`, author, day });
  const page = new Page(open);
  page.write('H1', titulo, TITLE, 7);
  page.write('P', 'Orden HAC/1177/2024, de 17 de octubre, artículo 15', NOTE, STEP);
  page.gap(3);
  for (const apartado of apartados) page.part(apartado, `${apartado.letra}) `);
  page.gap(2);
  page.keep(20);
  page.rule();
  page.write('H2', 'Anexo', PART, 6);
  page.gap(1);
  for (const apartado of anexo) page.part(apartado, '');
  drawFeet(open, version);
  return closeDocument(open);
}

/** The position of the next line, page after page. */
class Page {
  readonly #open: OpenDocument;
  #y = TOP;

  constructor(open: OpenDocument) {
    this.#open = open;
    open.doc.addPage({ size: 'A4', margin: 0 });
  }

  part({ epigrafe, parrafos }: Apartado, letter: string): void {
    this.keep(12); // A heading stays with its first lines.
    this.write('H2', `${letter}${epigrafe}`, HEAD, STEP);
    for (const parrafo of parrafos) {
      this.write('P', parrafo, TEXT, STEP);
      this.gap(1);
    }
    this.gap(2.5);
  }

  write(tag: 'H1' | 'H2' | 'P', text: string, style: TextStyle, step: number): void {
    const { doc, root } = this.#open;
    const lines = wrapText(text, RIGHT - LEFT, style);
    this.keep(Math.min(lines.length, 3) * step);
    while (lines.length > 0) {
      const room = Math.max(1, Math.floor((BOTTOM - this.#y) / step));
      const here = lines.splice(0, room);
      const at = this.#y;
      drawTagged(doc, root.addBranch('Sect'), tag, () => {
        drawLines(doc, here, LEFT, at, step, style);
      });
      this.#y += here.length * step;
      if (lines.length > 0) this.#turn();
    }
  }

  gap(millimetres: number): void {
    this.#y += millimetres;
  }

  /** Starts a new page unless there is room for this height. */
  keep(millimetres: number): void {
    if (this.#y + millimetres > BOTTOM) this.#turn();
  }

  rule(): void {
    drawRule(this.#open.doc, LEFT, RIGHT, this.#y - 3);
    this.#y += 4;
  }

  #turn(): void {
    this.#open.doc.addPage({ size: 'A4', margin: 0 });
    this.#y = TOP;
  }
}

function drawFeet({ doc }: OpenDocument, version: string): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    drawArtifact(doc, 'Pagination', () => {
      drawText(doc, `Huella ${version}`, LEFT, 285, FOOT);
      drawText(doc, `Página ${page + 1} de ${count}`, RIGHT, 285, FOOT, 'right');
    });
  }
}
