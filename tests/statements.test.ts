import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ACROSS } from './contract/across-companies.ts';

/**
 * Every statement in `src`, whether or not some test runs it, names its company if it accesses a table of companies.
 * `tests/contract/distributed.test.ts` checks the query plans of those that run; this checks the text of all.
 */

interface Written {
  readonly place: string;
  /** The template with its expressions, as written in the file. */
  readonly source: string;
  /** The text between the expressions. */
  readonly pieces: readonly string[];
}

/** By a condition with an expression, or by a function that writes the condition. */
const NAMES_ITS_COMPANY =
  /company_id\s*(?:=\s*(?:any\()?\$\{|in\b|is\b)|\b(?:ofCompanies|ofOneCompany|areInvoices|areOf)\(/;
/** The inserted row names its company. */
const INSERTS_ITS_COMPANY =
  /^\s*insert into \w+\s+(?:as \w+\s+)?(?:\(company_id\b|\$\{tx\([^`]*\bcompany_id: )/;

/** A template that is sent, whatever the name of the connection, or a text that is sent or copied out unchanged. */
const TAG =
  /\b(?:tx|sql|own|apart|read|web)(?:<[^`;]*?>)?(?:\.unsafe(?:<[^`;]*?>)?\(\s*)?`|\bconst query = `/g;

/** Statements whose text is made elsewhere, by how they are written, and what they are. */
const MADE_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/platform/migrate.ts: text': 'A migration.',
  'src/store/row-security.ts: begin': 'The settings of row-level security.',
  'src/store/row-security.ts: settings(role, companyIds)': 'The settings of row-level security.',
  'src/store/destruction.ts: permission(companyId)': 'A setting.',
  'src/store/destruction.ts: permission(null)': 'A setting.',
  'src/store/distribute.ts: step': 'Spreads tables, with Huella stopped.',
  "src/store/sql.ts: opened.join('; ')": 'The settings of a transaction.',
};

const templates = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => writtenIn(`src/${file}`));
const statements = templates.filter(({ pieces }) =>
  /^\s*(?:select|insert|update|delete|with)\b/.test(pieces[0] ?? ''),
);

const across = ACROSS.flatMap((group) => group.statements);

const PUT_IN = 'What is put into it, made elsewhere in the file, begins with the company.';
const OTHER_KEY = 'Every company at once, with Huella stopped: another master key.';

const BESIDE = 'Put into another, beside an invoice of its company.';
const WHOLE = 'Of every company at once: a backup.';

/**
 * Why a statement that names no company is allowed, by its beginning, or whole up to a `;`; in addition to those of
 * `ACROSS`.
 */
const NONE_NAMED: Readonly<Record<string, string>> = {
  'delete from recovery_codes': OTHER_KEY,
  "delete from mail_jobs where kind = 'codigo' and sent_at is null": OTHER_KEY,
  'delete from idempotency_keys where … and (created_at': PUT_IN,
  'select company_id as "companyId", key, request_hash as "requestHash", status, body from idempotency_keys where …':
    PUT_IN,
  'select * from invoices where … …': PUT_IN,
  'select count(*)::int as count from invoices where …': PUT_IN,
  'select issued from registros where i.registered_at is not null': BESIDE,
  'select g.issued from registros g left join respuestas a': BESIDE,
  'select m.nif from cadenas c join companies m': WHOLE,
  'select name as nombre, checksum from …': WHOLE,
  'select name from …;': WHOLE,
  'select 1 from … limit 1;': WHOLE,
  'delete from …;': WHOLE,
  'select company_id as "companyId", kek_id as "kekId", sealed_key as "sealedKey", sealed from … where kek_id <> …':
    OTHER_KEY,
  'select count(*)::integer as count from … where kek_id <> …': OTHER_KEY,
  'with page as ( select id, … from … …': PUT_IN,
  'delete from … where company_id = $1': 'Of one company, table by table.',
};

it('names one company, or is listed as one that does not', () => {
  const owned = ownedTables();
  expect(statements.length).toBeGreaterThan(300);
  expect(owned.size).toBeGreaterThan(25);
  const strays = statements.filter(
    (statement) =>
      touches(statement, owned) &&
      !isOfOneCompany(statement, owned) &&
      !isAcross(statement) &&
      !Object.keys(NONE_NAMED).some((start) => `${plain(statement)};`.startsWith(start)),
  );
  expect(strays.map((stray) => `${stray.place} ${plain(stray)}`)).toEqual([]);
});

/**
 * A prepared `select *` is refused once a migration has added a column, and the processes of the previous version are
 * running then. `distributed.test.ts` tries it with the statements that run; this checks the text of all.
 */
it('names the columns of its answer', () => {
  const strays = templates.filter(
    ({ source }) =>
      /^\s*(?:select\s+)?(?:\w+\.)?\*/.test(source) || /\breturning\s+(?:\w+\.)?\*/.test(source),
  );
  expect(strays.map((stray) => `${stray.place} ${plain(stray)}`)).toEqual([]);
});

it('is written where it is sent, unless it accesses no table', () => {
  const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(`src/${file}`, 'utf8').matchAll(/\.unsafe\(\s*([^\s`'"].*?)\)(?=[;\s.])/g),
      ].map(([, text]) => `src/${file}: ${text}`),
    );
  expect([...new Set(texts)].sort()).toEqual(Object.keys(MADE_ELSEWHERE).sort());
});

it.each([
  ['select company_id from invoices where status = ‹status›', false],
  ['select 1 from cadenas k join despachos d on d.company_id = k.company_id', false],
  ['insert into invoices (company_id, doc_no) select company_id, no from series', false],
  ['insert into invoices (company_id, doc_no) values (‹companyId›, ‹docNo›)', true],
  ['select 1 from invoices where company_id = ‹companyId›', true],
  ["select 1 from invoices i where ‹ofCompanies(tx, 'i.company_id', companyIds)›", true],
])('recognises whether «%s» is limited to one company: %s', (words, isOfOne) => {
  const source = words.replace(/‹(.*?)›/g, (_, put: string) => `\${${put}}`);
  const { pieces } = template(`${source}\``, 0);
  expect(isOfOneCompany({ place: '', source, pieces }, ownedTables())).toBe(isOfOne);
});

it('locks rows of one company only', () => {
  const owned = ownedTables();
  const locking = statements.filter(({ source }) =>
    /\bfor (?:no key )?(?:update|share)\b/.test(source),
  );
  expect(locking.length).toBeGreaterThan(3);
  const strays = locking.filter(
    (statement) =>
      touches(statement, owned) && !/company_id = \$\{|ofCompanies\(/.test(statement.source),
  );
  expect(strays.map((stray) => `${stray.place} ${plain(stray)}`)).toEqual([]);
});

it('passes nothing to the machines of a distributed database by `set_config`, which does not reach them', () => {
  const settings = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /set_config\(\s*'(?:huella|app)\./.test(readFileSync(`src/${file}`, 'utf8')));
  expect(settings).toEqual([]);
});

/** Tables that migrations create with a company; a payment belongs to no company before there is an account. */
function ownedTables(): Set<string> {
  const migrations = readdirSync('migrations').map((name) =>
    readFileSync(`migrations/${name}`, 'utf8'),
  );
  const made = migrations.flatMap((text) => [
    ...text.matchAll(/^create table (?:if not exists )?(\w+) \(([\s\S]*?)^\);/gm),
  ]);
  const owned = made.filter(([, , columns]) => /^\s*company_id /m.test(columns ?? ''));
  return new Set(owned.map(([, name]) => name ?? '').filter((name) => name !== 'payments'));
}

function isOfOneCompany(statement: Written, owned: ReadonlySet<string>): boolean {
  const { source } = statement;
  return (
    NAMES_ITS_COMPANY.test(source) || (INSERTS_ITS_COMPANY.test(source) && !reads(statement, owned))
  );
}

function reads({ pieces }: Written, tables: ReadonlySet<string>): boolean {
  const named = pieces.join(' ').matchAll(/\b(?:from|join|using)\s+(\w+)/g);
  return [...named].some(([, name]) => tables.has(name ?? ''));
}

function touches({ pieces }: Written, tables: ReadonlySet<string>): boolean {
  // If the name of the table is an expression, it may be any of them.
  if (pieces.slice(0, -1).some((piece) => /\b(?:from|join|update|into|using)\s+$/.test(piece))) {
    return true;
  }
  const text = pieces.join(' ');
  const named = text.matchAll(/\b(?:from|join|update|into|using)\s+(\w+)/g);
  return [...named].some(([, name]) => tables.has(name ?? ''));
}

function isAcross({ pieces }: Written): boolean {
  const squeezed = pieces.map((piece) => withoutSpaces(piece));
  return across.some((statement) => {
    let at = 0;
    for (const piece of squeezed) {
      const found = withoutSpaces(statement).indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return true;
  });
}

const withoutSpaces = (text: string) => text.replace(/--.*$/gm, '').replace(/\s+/g, '');
const plain = ({ pieces }: Written) => pieces.join('…').replace(/\s+/g, ' ').trim();

function writtenIn(file: string): Written[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(TAG)].map(({ index, 0: tag }) => {
    const start = index + tag.length;
    const { end, pieces } = template(text, start);
    const line = text.slice(0, index).split('\n').length;
    return { place: `${file}:${line}`, source: text.slice(start, end), pieces };
  });
}

/** Reads a template from after its opening quote to its closing one, including templates in its expressions. */
function template(text: string, start: number): { end: number; pieces: string[] } {
  const pieces: string[] = [];
  let from = start;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`') return { end: at, pieces: [...pieces, text.slice(from, at)] };
    else if (text.startsWith('${', at)) {
      pieces.push(text.slice(from, at));
      at = expressionEnd(text, at + 2);
      from = at + 1;
    }
  }
  throw new Error('A template without its end.');
}

/** The position of the brace that closes an expression. */
function expressionEnd(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '`') at = template(text, at + 1).end;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  throw new Error('What is put into a template has no end.');
}
