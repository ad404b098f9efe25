/**
 * The structure of a document, which screen readers follow (ISO 32000-1, 14.7), in the bytes that pdfkit would write.
 * pdfkit makes some twenty objects of each of the hundred elements of an invoice, and V8 comes to keep them until it
 * collects the whole heap.
 */

import type { Doc } from './canvas.ts';

/** An element that contains others. */
export class Branch {
  readonly #doc: Doc;
  readonly #id: number;
  readonly #type: string;
  readonly #parentId: number;
  readonly #branches: Branch[] = [];
  /** All its elements, as references. */
  #kids = '';

  constructor(doc: Doc, type: string, parentId: number) {
    this.#doc = doc;
    this.#id = doc.newNumber();
    this.#type = type;
    this.#parentId = parentId;
  }

  addBranch(type: string): Branch {
    const branch = new Branch(this.#doc, type, this.#id);
    this.#branches.push(branch);
    this.#kids += `${branch} `;
    return branch;
  }

  /**
   * Adds an element that is what `draw` puts on the page.
   *
   * @param attributes entries of its dictionary
   */
  addLeaf(type: string, attributes: string, draw: () => void): void {
    const doc = this.#doc;
    const id = doc.newNumber();
    const { dictionary, structParentTreeKey } = doc.page as unknown as TaggedPage;
    const mark = doc.parentTree.mark(structParentTreeKey, id);
    drawMarked(doc, `/${type} <<\n/MCID ${mark}\n>>`, draw);
    this.#kids += `${id} 0 R `;
    doc.packObject(id, `<</S /${type}${attributes}/P ${this}/K [${mark}]/Pg ${dictionary}>>`);
  }

  /** Writes it after the branches in it. */
  end(): void {
    for (const branch of this.#branches) branch.end();
    const kids = this.#kids.trimEnd();
    this.#doc.packObject(this.#id, `<</S /${this.#type}/P ${this.#parentId} 0 R/K [${kids}]>>`);
  }

  /** A reference to it. */
  toString(): string {
    return `${this.#id} 0 R`;
  }
}

/** The parts of a pdfkit page that its types do not declare. */
interface TaggedPage {
  readonly dictionary: object;
  readonly structParentTreeKey: number;
}

/** Draws content that belongs to an element, or to none. Never inside other such content. */
export function drawMarked(doc: Doc, mark: string, draw: () => void): void {
  doc.addContent(`${mark} BDC`);
  draw();
  doc.addContent('EMC');
}

/** For each page, the elements that its marks belong to (ISO 32000-1, 14.7.4.4). */
export class ParentTree {
  readonly #pages: number[][] = [];

  /** Called by pdfkit, with the keys in order. */
  add(_key: number, elements: number[]): void {
    this.#pages.push(elements);
  }

  /** @returns the number of the new mark on that page */
  mark(key: number, element: number): number {
    return (this.#pages[key] as number[]).push(element) - 1;
  }

  toString(): string {
    const last = this.#pages.length - 1;
    const limits = last > 0 ? `  /Limits [0 ${last}]\n` : '';
    const pages = this.#pages.map(
      (elements, key) => `    ${key} [${elements.map((id) => `${id} 0 R`).join(' ')}]\n`,
    );
    return `<<\n${limits}  /Nums [\n${pages.join('')}]\n>>`;
  }
}
