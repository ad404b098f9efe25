import type { Word } from './shapes.ts';
import { type Cell, cellFrom, overlaps, type Row } from './words.ts';

/** Labels beside somebody's data: whose data they are, and which. */
export type Kind =
  | 'client'
  | 'issuer'
  /** Some other person or thing: where goods go, a car, an order. */
  | 'other'
  | 'name'
  | 'street'
  | 'town'
  | 'postcode'
  | 'nif'
  | 'rest';

/** The words for whoever pays, with what may follow them: «receptor de la factura», «titular del contrato». */
const PAYERS =
  '(?:client[ea]?s?(?: final(?:es)?)?|empresa cliente|comprador[ae]?|destinatari[oa]?s?|receptor[ae]?|titular(?:es)?|contratante|adquirente|pagador[ae]?|propietari[oa]|propiedad|promotora?|responsable del pago|deudora?|huesped|asegurad[oa]|tomadora?|suscriptora?|arrendatari[oa]|inquilin[oa]|interesad[oa]|beneficiari[oa]|mandante|cargador(?: contractual)?|abonad[oa]|bezeroa|customer|buyer)(?: (?:de la (?:factura|operacion)|del (?:contrato|servicio|suministro)))?';
const CLIENTS = `(?:(?:datos|direccion|domicilio|dades|adreca)(?: fiscal(?:es|s)?)? (?:d(?:el?|o) (?:el |la )?|de l['’]|de quien )?(?:recibe|${PAYERS}|facturacion?)|${PAYERS}|(?:a )?factura(?:r|d[oa]|cion)? ?(?:a(?: nombre de)?|para)|a nombre de|a favor de|(?:a|con) cargo (?:de|a)|(?:minutad|dirigid|expedid|girad|remitid)[oa] a|a la atencion de|(?:bill(?:ed)?|invoiced?|sold) to|billing (?:address|details|information)|to|(?:a|para)(?=\\s*:)|senor(?:es)?(?:\\/a)?|sra?s?\\.?\\s?\\/\\s?(?:sra?s?|a)\\.?|sres\\.?|sra?\\. d(?:n?a)?\\.(?=:|$|\\s*[._]{3})|sra?\\. da?n?a?\\.(?=:)|att?n?\\.|a\\/a\\.?)`;
/** Also beside another word: «Paciente / Pagador», «Cliente / Customer». */
const CLIENT = `(?:(?:[a-z]{4,}\\s?\\/\\s?)?${CLIENTS}(?:\\s?\\/\\s?(?:${CLIENTS}|[a-z]{4,}))?)`;
/** The words for whoever charges. */
const CHARGERS =
  '(?:emisor[ae]?|emissora?|expedidor[ae]?|prestador[ae]?|proveedor[ae]?|proveidora?|vendedor[ae]?|arrendadora?|profesional|empresa emisora|acreedora?|issuer|seller|vendor|supplier)(?: (?:de la factura|del servicio|de servicios))?';
const ISSUER = `(?:(?:datos (?:fiscales )?(?:del? )?(?:la )?|razon social (?:del? )?)?${CHARGERS}|datos (?:de (?:la )?)?empresa|nuestros datos|obligad[oa] a (?:expedir|emitir)(?: la factura)?|emite|expide|datos de quien (?:factura|emite|expide)|(?:factura )?(?:vendid|expedid|emitid|facturad)[oa] por|(?:sold|issued) by|from|de(?=\\s*:))`;
const OTHER =
  '(?:(?:datos|direccion|domicilio|lugar|punto) (?:del? )?(?:envio|entrega|suministro|instalacion|obra|vehiculo)|enviar a|entregar a|envio|vehiculo|marca y modelo|ship(?:ped)? to|datos bancarios|obra|representante|comercial|agente)';
const OF_CLIENT = '(?: del (?:cliente|titular|paciente|asegurado|destinatario))?';
const NAME = `(?:nombre(?: (?:fiscal|completo))?(?:\\s?(?:,|\\/|y|o)\\s?(?:apellidos|razon social))?|nom(?: (?:fiscal|i cognoms))?|(?:company )?name|empresa(?=\\s*:)|razon social|rao social|denominacion?(?: social)?|apellidos y nombre(?: ?(?:\\/|o) ?razon social)?)${OF_CLIENT}`;
const STREET = `(?:domicilio(?: fiscal)?|direccion(?: (?:fiscal|postal|completa))?|adreca|domicili|enderezo|helbidea|address|street|calle(?: y n[uº]m?(?:ero|\\.)?)?|dir\\.?(?: fiscal)?|dom\\.?)${OF_CLIENT}`;
const POSTCODE = '(?:c\\.? ?p\\.?|d\\.p\\.|cod(?:igo|\\.) postal)';
const TOWN = `(?:${POSTCODE}\\s?(?:\\/|-|y|i|,) ?(?:poblacion?|localidad|ciudad|pob\\.)|poblacion?|localidad|localitat|ciudad|ciutat|municipio?|concello|herria|city)${OF_CLIENT}`;
/** OCR reads an I between full stops as an L or a one. The first names are those of the AEAT's list L7. */
const NIF =
  '(?:(?:(?:nuestro|su|vuestro) )?(?:documento (?:de identificacion|probatorio)|pasaporte|certificado de residencia|n\\.?[il1]{1,2}\\.?f\\.?|c\\.?[il1]{1,2}\\.?f\\.?|d\\.?n\\.?i\\.?|vat(?: (?:[il1]d|no|number)\\.?)?|tax (?:[il1]d|nr\\.?|number)|n[ºo°] (?:de )?iva|id\\.? fiscal|identificacion fiscal|ifz)(?:\\s?[/-]\\s?(?:n\\.?[il1]\\.?f\\.?|c\\.?[il1]\\.?f\\.?|d\\.?n\\.?i\\.?|vat|i\\.?v\\.?a\\.?))?(?: (?:del? )?(?:cliente|titular|emisor))?)';
const REST =
  '(?:nombre comercial|contact[oe]|persona de contacto|provincia|pais|tel(?:efono|\\.|f\\.?|fs\\.?)?|tfnos?\\.?|movil|fax|e-?mail|correo(?: electronico)?|web|iban|(?:n[uo]m?(?:ero|\\.)?[ºo°.]? (?:de )?)?(?:fact(?:ura)?|fra|pedido|albaran|contrato|cliente|socio|orden|registro)(?: n[ºo°]\\.?)?|fecha(?: (?:de )?(?:la )?\\w+\\.?)?|data(?: (?:d’|de )?(?:factura|expedicio|emissio|venciment))?|(?:invoice |issue |due )?date(?: of issue)?|issued|f\\. ?(?:factura|emision|expedicion|vto\\.|vencimiento)|(?:emitid|expedid|facturad)[oa](?: el)?|emision|expedicion|vto\\.?|serie(?:\\s?[\\/-]\\s?numero)?|invoice(?: (?:n[ºo°]\\.?|number|#))?|albaran|pedido|pago|cod(?:igo|\\.) (?:de )?cliente|forma de pago|vencimiento|matricula|bastidor|kilometros|kms?\\.?|pagina|colegiad[oa]|periodo[a-z ]*)';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['nif', NIF],
  ['other', OTHER],
  ['client', CLIENT],
  ['issuer', ISSUER],
  ['name', NAME],
  ['town', TOWN],
  ['postcode', POSTCODE],
  ['street', STREET],
  ['rest', REST],
];
/** At the start of a cell: the whole of it, or the part before a mark. */
const WHOLE = KINDS.map(
  ([kind, names]) => [kind, new RegExp(`^[-·•*]?\\s*${names}\\s*[:.]*(?:\\s?[._]{3,})?$`)] as const,
);
const LEADING = KINDS.map(
  ([kind, names]) => [kind, new RegExp(`^[-·•*]?\\s*${names}\\s*(?::|\\s[._]{3,})\\s*`)] as const,
);
/** Labels that are clear without a mark, whatever follows. */
const BARE = [
  ['nif', new RegExp(`^${NIF}(?![a-z])\\s*`)],
  [
    'client',
    /^(?:clientes?|destinatari[oa]|titular|sres\.|senores)\s+(?!del?\s|n[ºo°](?![a-z])|num)(?=\p{L}{2})/u,
  ],
  ['issuer', /^(?:vendid|expedid|emitid|facturad)[oa] por\s+(?=\p{L})/u],
  [
    'street',
    /^(?:domicilio|direccion)(?: fiscal| postal)?\s+(?!(?:del?|en|social|fiscal|postal)\s)(?=\p{L})/u,
  ],
  [
    'rest',
    /^(?:tel(?:efono|\.|f\.?)?|tfnos?\.?|movil|fax|e-?mail|colegiad[oa])[\s.]*(?=n[ºo°.]|\d|$)/,
  ],
] as const satisfies readonly (readonly [Kind, RegExp])[];
/** Inside a cell, after something else. */
const INNER = new RegExp(
  `(?<=[\\s,;·|(–-])(?:(?:${NAME}|${STREET}|${TOWN}|${POSTCODE}|${REST}|${CLIENT})\\s*:|${NIF}(?=\\s*:|\\.?\\s(?:es[\\s-]?)?[a-z]?-?\\d|\\s*$)|(?:tel|tfno|movil|fax|e-?mail)(?:[.:]|\\s(?=[\\d+(]|\\S+@)))`,
  'g',
);

/** The words of one item: a value with its label, if it has one in front. */
export interface Segment extends Cell {
  readonly kind: Kind | null;
}

/** Whether the label says whose data follow. */
export const isRole = (kind: Kind | null): kind is 'client' | 'issuer' | 'other' =>
  kind === 'client' || kind === 'issuer' || kind === 'other';

/** The kind of a cell that contains only a label; null for any other. */
export function labelOf(plain: string): Kind | null {
  const text = plain.trim();
  return WHOLE.find(([, name]) => name.test(text))?.[0] ?? null;
}

/** Joins labels broken over two rows into one cell: `Fecha de` over `expedición`, `Nombre o razón` over `social:`. */
export function withWholeLabels(rows: readonly Row[]): Row[] {
  const gone = new Set<Cell>();
  const whole = new Map<Cell, Cell>();
  for (const row of rows)
    for (const cell of row.cells) {
      const rest = gone.has(cell) ? undefined : restOfLabel(rows, cell);
      if (!rest) continue;
      whole.set(cell, cellFrom([...cell.words, ...rest.words], cell.row));
      gone.add(rest);
    }
  return rows.map((row) => ({
    ...row,
    cells: row.cells.filter((cell) => !gone.has(cell)).map((cell) => whole.get(cell) ?? cell),
  }));
}

/** The cell close below that completes a label. */
function restOfLabel(rows: readonly Row[], cell: Cell): Cell | undefined {
  if (cell.words.length > 3 || /:$|\d/.test(cell.plain)) return undefined;
  return rows
    .slice(cell.row + 1, cell.row + 3)
    .filter(({ page }) => page === cell.page)
    .flatMap(({ cells }) => cells)
    .find((below) => {
      const isClose = Math.abs(below.x - cell.x) < 0.5 * cell.h && below.y - cell.y < 1.6 * cell.h;
      if (!isClose || below.words.length > 3) return false;
      const isUnfinished = /(^|\s)(de|del|la)$|\/$/.test(cell.plain);
      return (
        labelOf(`${cell.plain} ${below.plain}`) !== null &&
        (isUnfinished || (labelOf(cell.plain) === null && labelOf(below.plain) === null))
      );
    });
}

/** A cell split where another item begins. Parts that are only a label are left out. */
export function segmentsOf(cell: Cell): Segment[] {
  const starts = [0];
  const [, front] = prefixOf(cell.plain);
  for (const match of cell.plain.matchAll(INNER))
    if (match.index >= front) starts.push(match.index);
  for (const match of cell.plain.matchAll(
    /(?<=\s)[·|•](?=\s)|(?<=\s)[-–](?=\s(?:\d{5}\s|\d{3}[\s.]?\d{2,3}[\s.]?\d{2}|[a-z]-?\d{7}|www|\S+@))/g,
  ))
    starts.push(match.index);
  starts.sort((a, b) => a - b);
  return starts.flatMap((start, i): Segment[] => {
    const words = wordsBetween(cell, start, starts[i + 1] ?? cell.plain.length);
    const [first] = words;
    if (!first) return [];
    const piece = cellFrom(words, cell.row);
    const [kind, length] = prefixOf(piece.plain);
    const rest = kind === null ? words : wordsBetween(piece, length, piece.plain.length);
    const bare = rest.filter(({ text }, at) => at > 0 || !/^[·|•:–-]+$/.test(text));
    return bare.length > 0 && labelOf(piece.plain) === null
      ? [{ ...cellFrom(bare, cell.row), kind }]
      : [];
  });
}

function prefixOf(plain: string): [Kind | null, number] {
  for (const [kind, name] of [...LEADING, ...BARE]) {
    const match = name.exec(plain);
    if (match) return [kind, match[0].length];
  }
  return [null, 0];
}

/**
 * The words between two characters of a cell's text. A word that is cut, as `(NIF` is, counts only for the part between
 * them.
 */
function wordsBetween(cell: Cell, start: number, end: number): Word[] {
  let at = 0;
  return cell.words.flatMap((word) => {
    const from = at;
    const { length } = word.text;
    at += length + 1;
    const [cut, stop] = [Math.max(0, start - from), Math.min(length, end - from)];
    if (stop <= cut) return [];
    if (stop - cut === length) return [word];
    const letter = word.w / length;
    const text = word.text.slice(cut, stop);
    // An opening bracket belongs to its contents.
    return /^[([]+$/.test(text)
      ? []
      : [{ ...word, text, x: word.x + cut * letter, w: (stop - cut) * letter }];
  });
}

/** Whose data a label or a value is: by the nearest role above it in its column, or in front of it. */
export function roleOver(rows: readonly Row[], cell: Cell): 'client' | 'issuer' | 'other' | null {
  for (const row of rows.slice(Math.max(0, cell.row - 9), cell.row + 1).reverse()) {
    if (row.page !== cell.page) return null;
    for (const other of [...row.cells].reverse()) {
      const isMine =
        other === cell ||
        (other.row === cell.row
          ? other.x < cell.x
          : overlaps(cell, other) || Math.abs(cell.x - other.x) < 2.5 * cell.h);
      if (!isMine) continue;
      const kind = labelOf(other.plain) ?? prefixOf(other.plain)[0];
      if (isRole(kind)) return kind;
      const ofLabel = roleIn(other.plain);
      if (kind !== null && ofLabel) return ofLabel;
      // «NIF:» below «Población:», in the row that began with «Cliente:».
      const ofRow = other.row === cell.row ? null : roleBefore(row, other);
      if (labelOf(other.plain) !== null && ofRow) return ofRow;
    }
  }
  return null;
}

/** Whose data they are, if the label itself says so: «NIF del cliente», «Nuestro NIF». */
function roleIn(plain: string): 'client' | 'issuer' | null {
  const label = plain.split(':')[0] ?? '';
  if (/\b(?:del?|do) (?:emisor|expedidor|prestador|proveedor|vendedor)a?\b/.test(label))
    return 'issuer';
  if (/^nuestro /.test(label)) return 'issuer';
  return /\b(?:cliente|titular|destinatario)\b|^(?:su|vuestro) /.test(label) ? 'client' : null;
}

/** The nearest role stated in front of a cell, in its row. */
function roleBefore({ cells }: Row, cell: Cell): 'client' | 'issuer' | 'other' | null {
  const kinds = cells.filter(({ x }) => x < cell.x).map(({ plain }) => labelOf(plain));
  return kinds.findLast(isRole) ?? null;
}

/** A value with its label. */
export interface Labelled {
  readonly kind: Kind;
  readonly value: Segment;
  readonly role: 'client' | 'issuer' | 'other' | null;
  /** The value is beside its label, not below it. */
  readonly isBeside: boolean;
  /** The cell of the label. */
  readonly said: Cell;
}

/** Every value that has a label in front of it, or above it. */
export function labelledIn(rows: readonly Row[]): Labelled[] {
  return rows.flatMap((row) =>
    row.cells.flatMap((cell, i): Labelled[] => {
      const kind = labelOf(cell.plain);
      if (kind === null || kind === 'rest') {
        const role = roleOver(rows, cell);
        return segmentsOf(cell).flatMap((value) =>
          value.kind === null || value.kind === 'rest'
            ? []
            : [
                {
                  kind: value.kind,
                  value,
                  role: isRole(value.kind) ? value.kind : role,
                  isBeside: true,
                  said: cell,
                },
              ],
        );
      }
      const values = valuesOf(rows, row, cell, i);
      return values.map((value) => ({
        kind,
        value: { ...value, kind },
        isBeside: value.row === cell.row,
        said: cell,
        role: isRole(kind)
          ? kind
          : values.length > 1
            ? roleOver(rows, value)
            : roleOver(rows, cell),
      }));
    }),
  );
}

/** The values beside a label, up to the next one, or else below it. */
function valuesOf(rows: readonly Row[], row: Row, cell: Cell, index: number): Cell[] {
  const beside: Cell[] = [];
  for (const next of row.cells.slice(index + 1)) {
    if (labelOf(next.plain) !== null) break;
    beside.push(next);
  }
  if (beside.length > 0) return /:\s*$/.test(cell.plain) ? beside.slice(0, 1) : beside.slice(0, 2);
  const below = rows
    .slice(cell.row + 1, cell.row + 3)
    .filter(
      (other) => other.page === cell.page && other.y - cell.y < 3.2 * Math.max(cell.h, other.h),
    )
    .flatMap((other) => other.cells.filter((one) => Math.abs(one.x - cell.x) < 1.5 * cell.h));
  return below.slice(0, 1).filter((one) => labelOf(one.plain) === null);
}
