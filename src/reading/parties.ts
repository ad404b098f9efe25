import { checkNif } from '../domain/nif.ts';
import { mendedNif } from './misread.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import { type Cell, cellFrom, overlaps, type Row } from './words.ts';

/** Somebody whose NIF, or at least whose name, stands on the paper. */
export interface Party {
  readonly nif?: {
    readonly valor: string;
    readonly words: readonly Word[];
    readonly isMended: boolean;
  };
  readonly nombre?: Cell;
  readonly direccion?: readonly Cell[];
}

interface FoundNif {
  readonly valor: string;
  readonly cell: Cell;
  readonly words: readonly Word[];
  /** OCR had spoiled it. */
  readonly isMended: boolean;
}

const NIF =
  /(?<![A-Z0-9])(?:ES[\s-]?)?([A-HJNP-SUVW][\s.-]?\d{2}[.\s]?\d{3}[.\s]?\d{2}[\s-]?[0-9A-J]|\d{1,2}[.\s]?\d{3}[.\s]?\d{3}[\s-]?[A-Z]|[XYZKLM][\s-]?\d{7}[\s-]?[A-Z])(?![A-Z0-9])/g;
const CLIENT =
  /\b(clientes?|destinatari[oa]|facturar a|facturado a|datos de facturacion|receptor|comprador|adquirente|titular|sr\.?(es)?\.?\/?(sra\.?)?|bill to|customer|senor(es)?)\b/;
const ISSUER = /\b(emisor|vendedor|proveedor|expedidor|datos fiscales del emisor)\b/;
/** What is said beside a name and is no name. */
const LABEL =
  /^(clientes?|datos( fiscales)?( del)?( cliente| emisor)?|destinatari[oa]|facturar a|facturado a|datos de facturacion|receptor|titular(es)?( del (contrato|servicio))?|emisor|vendedor|proveedor|expedidor|comprador|adquirente|factura( rectificativa| simplificada)?|nombre( fiscal)?( o razon social)?|razon social|sr\.?(es)?\.?(\/sra\.?)?|senor(es)?|bill to|cliente \/ facturar a|de|para|a|att?\.?|a la atencion de|from|to)\s*:?$/;
const PREFIX =
  /^(cliente|destinatario|facturar a|nombre( o razon social)?|razon social|emisor|receptor|proveedor|sr\.?\/sra\.?|domicilio( fiscal)?|direccion( fiscal)?|dir\.?|poblacion|localidad|ciudad|municipio|c\.?\s?p\.?(\s?y poblacion)?|codigo postal)\s*:\s*/;
const NOT_A_NAME =
  /^(documento|numero|num|fra|expedida|emitida|data|dia)\b|^(n\.?\s?[º°o]\.?|num(ero)?\.?)\s*(de\s+)?(cliente|fra|factura|documento|contrato|socio|abonado)\b|\b(rectificativa|abono|presupuesto|albaran|pedido|n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tel|telefono|tfno|movil|e-?mail|www|fecha|factura|iban|vencimiento|pagina|registro mercantil|codigo)\b|@|\b\d{2}[/-]\d{2}[/-]\d{4}\b/;
const NOT_AN_ADDRESS =
  /\b(n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tel|telefono|tfno|movil|e-?mail|www|fecha|factura|iban|vencimiento|registro mercantil|numero|concepto|descripcion)\b|@/;

/** Who issues and who receives. The company that uploads, when it is one of them, settles the roles. */
export function findParties(
  rows: readonly Row[],
  ownNif: string,
): { emisor: Party; cliente: Party } {
  const nifs = findNifs(rows);
  const own = nifs.find(({ valor }) => valor === ownNif);
  const others = nifs.filter(({ valor }) => valor !== own?.valor);
  const byLabel = others.find(({ cell }) => labelOver(rows, cell) === 'cliente');
  const issuer =
    own ??
    others.find(({ cell }) => labelOver(rows, cell) === 'emisor') ??
    others.find((nif) => nif.valor !== byLabel?.valor);
  const client = byLabel ?? others.find(({ valor }) => valor !== issuer?.valor);
  const emisor = issuer ? partyOf(rows, issuer) : {};
  const cliente = client ? partyOf(rows, client) : {};
  return { emisor, cliente: cliente.nombre ? cliente : { ...cliente, ...addressee(rows, emisor) } };
}

/** Whoever an address stands under, as in an envelope's window, when it is not the issuer's. */
function addressee(rows: readonly Row[], emisor: Party): Pick<Party, 'nombre' | 'direccion'> {
  const town = rows
    .flatMap(({ cells }) => cells)
    .filter(({ plain }) => /^(c\.?p\.?:?\s*)?\d{5}\s+[a-z]{2}/.test(plain));
  for (const cell of town) {
    const [nombre, ...street] = blockAround(rows, cell).above.filter(
      ({ plain }) => !LABEL.test(plain.trim()),
    );
    const isOther =
      nombre &&
      street.length > 0 &&
      street.length <= 2 &&
      !NOT_A_NAME.test(nombre.plain) &&
      nombre.plain !== emisor.nombre?.plain;
    if (isOther)
      return { nombre: withoutPrefix(nombre), direccion: [...street, cell].map(withoutPrefix) };
  }
  return {};
}

const NIF_NAME = /\b(nif|cif|dni|vat)\b/;

function findNifs(rows: readonly Row[]): FoundNif[] {
  const cells = rows.flatMap((row) =>
    row.cells.map((cell, i) => ({ cell, before: row.cells[i - 1] })),
  );
  const printed = cells.flatMap(({ cell }) =>
    [...cell.text.toUpperCase().matchAll(NIF)].flatMap((match) => {
      const check = checkNif((match[1] ?? '').replace(/^(\d{7})([A-Z])$/, '0$1$2'));
      if (!check.ok) return [];
      const words = wordsAt(cell, match.index, match.index + match[0].length);
      return [{ valor: check.nif, cell, words, isMended: false }];
    }),
  );
  // Beside its name, what is one letter away from a NIF was one.
  const mended = cells.flatMap(({ cell, before }) => {
    const name = NIF_NAME.test(undotted(`${before?.plain ?? ''} ${cell.plain}`));
    if (!name || printed.some((one) => one.cell === cell)) return [];
    return cell.words.flatMap((word) => {
      const valor = mendedNif(word.text.replace(/^[:.]+|[,;:.]+$/g, ''));
      return valor ? [{ valor, cell, words: [word], isMended: true }] : [];
    });
  });
  const found = [...printed, ...mended].sort((a, b) => a.cell.row - b.cell.row);
  return found.filter(({ valor }, i) => found.findIndex((one) => one.valor === valor) === i);
}

/** The words that stand between two characters of a cell's text. */
export function wordsAt(cell: Cell, start: number, end: number): readonly Word[] {
  let at = 0;
  const inside = cell.words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start;
  });
  return inside.length > 0 ? inside : cell.words;
}

/** The nearest label of a role over a cell, in its own column. */
function labelOver(rows: readonly Row[], cell: Cell): 'cliente' | 'emisor' | null {
  for (const row of rows.slice(Math.max(0, cell.row - 9), cell.row + 1).reverse()) {
    if (row.page !== cell.page) return null;
    for (const other of row.cells) {
      const isMine =
        other === cell || (other.row === cell.row ? other.x < cell.x : isInColumn(cell, other));
      if (!isMine) continue;
      if (ISSUER.test(other.plain)) return 'emisor';
      if (CLIENT.test(other.plain)) return 'cliente';
    }
  }
  return null;
}

function isInColumn(cell: Cell, other: Cell): boolean {
  return overlaps(cell, other) || Math.abs(cell.x - other.x) < 2.5 * cell.h;
}

/** Name and address of the block of text around a NIF. */
function partyOf(rows: readonly Row[], { valor, cell, words, isMended }: FoundNif): Party {
  const own = blockAround(rows, cell);
  const lead = leadOf(rows, cell);
  // A line of several things begins where its block does.
  const { above, below } = own.above.length === 0 && lead !== cell ? blockAround(rows, lead) : own;
  const isName = (one: Cell) =>
    !LABEL.test(one.plain.trim()) &&
    !NOT_A_NAME.test(one.plain.replace(PREFIX, '')) &&
    /[a-z]{3}/i.test(one.plain);
  const before = textBefore(cell, words);
  const nombre =
    above.find(isName) ??
    (before && isName(before) && !/\d/.test(before.text) ? before : undefined);
  const lines = [...above, ...below].filter(
    (one) =>
      one !== nombre &&
      !LABEL.test(one.plain.trim()) &&
      !NOT_AN_ADDRESS.test(one.plain.replace(PREFIX, '')),
  );
  const start = lines.findIndex((one) =>
    /[a-z]{3}.*\d|\b(calle|c\/|av|avda|plaza|pza|paseo|pol|ctra|camino|ronda|rua|carrer)\b/.test(
      one.plain,
    ),
  );
  const found = start < 0 ? [] : lines.slice(start, start + 3);
  // The post code stands in its last line.
  const last = found.findIndex((one) => /(?<!\d)\d{5}(?!\d)/.test(one.plain));
  const direccion = found.slice(0, last < 0 ? 2 : last + 1);
  return {
    nif: { valor, words, isMended },
    ...(nombre && { nombre: withoutPrefix(nombre) }),
    ...(direccion.length > 0 && { direccion: direccion.map(withoutPrefix) }),
  };
}

/** The first cell of those that stand close together up to this one. */
function leadOf(rows: readonly Row[], cell: Cell): Cell {
  const cells = rows[cell.row]?.cells ?? [];
  let at = cells.indexOf(cell);
  while (at > 0) {
    const [before, here] = [cells[at - 1] as Cell, cells[at] as Cell];
    if (here.x - before.x - before.w > 2.2 * here.h) break;
    at -= 1;
  }
  return cells[at] ?? cell;
}

/** `Lienzos, S.L. — NIF B12345674`: the name in front, in the NIF's own cell. */
function textBefore(cell: Cell, words: readonly Word[]): Cell | null {
  const first = words[0];
  const at = first ? cell.words.indexOf(first) : -1;
  const front = cell.words
    .slice(0, Math.max(0, at))
    // Up to the first mark: an address may follow.
    .filter((_, i, all) => i < indexOrEnd(all.findIndex(({ text }) => /^[·|•–—-]$/.test(text))))
    .filter(({ text }) => !/^([nc]\.?i\.?f\.?:?|[-–—·|:]|dni:?|nif\/cif:?)$/i.test(text));
  return front.length > 0 ? cellFrom(front, cell.row) : null;
}

const indexOrEnd = (index: number) => (index > 0 ? index : Number.POSITIVE_INFINITY);

/** Lines of the same column that follow each other without a gap, over and under the cell. */
function blockAround(rows: readonly Row[], cell: Cell): { above: Cell[]; below: Cell[] } {
  const walk = (steps: readonly Row[]) => {
    const block: Cell[] = [];
    let last = cell;
    for (const row of steps) {
      // An empty line may part a NIF from its address.
      const reach = block.length === 0 ? 3.4 : 2.6;
      if (row.page !== cell.page) break;
      if (Math.abs(row.y - last.y) > reach * Math.max(last.h, row.h)) break;
      const next =
        row.cells.find((one) => Math.abs(one.x - cell.x) < 2.5 * cell.h) ??
        row.cells.find((one) => Math.abs(one.x + one.w - cell.x - cell.w) < cell.h) ??
        // Centred: whatever stands alone over the middle.
        (row.cells.length === 1 ? row.cells.find((one) => overlaps(one, cell)) : undefined);
      if (!next) {
        // Another column's row, between two of this one.
        if (Math.abs(row.y - last.y) < 2 * last.h) continue;
        break;
      }
      block.push(next);
      last = next;
      if (CLIENT.test(next.plain) || ISSUER.test(next.plain)) break;
    }
    return block;
  };
  return {
    above: walk(rows.slice(Math.max(0, cell.row - 8), cell.row).reverse()).reverse(),
    below: walk(rows.slice(cell.row + 1, cell.row + 6)),
  };
}

/** Without its label in front nor the mark behind it. */
function withoutPrefix(cell: Cell): Cell {
  const prefix = PREFIX.exec(cell.plain);
  const bare = prefix
    ? cellFrom(wordsAt(cell, prefix[0].length, cell.text.length), cell.row)
    : cell;
  return { ...bare, text: bare.text.replace(/\s*[,;:·|-]+$/, '') };
}
