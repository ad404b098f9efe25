import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ACROSS } from './contract/across-companies.ts';

/**
 * Every statement that is written in `src`, run by some test or not, names its company where it touches a table of
 * companies. What `tests/contract/distributed.test.ts` reads in the plans of those that run, this reads in the words of all.
 */

interface Written {
  readonly place: string;
  /** The template with what is put into it, as it stands in the file. */
  readonly source: string;
  /** What stands between the things put into it. */
  readonly pieces: readonly string[];
}

/** A template that is sent, whatever the name of who sends it. */
const TAG = /\b(?:tx|sql|own|apart|read|web)(?:<[^`;]*?>)?`/g;

const statements = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => writtenIn(`src/${file}`))
  .filter(({ pieces }) => /^\s*(?:select|insert|update|delete|with)\b/.test(pieces[0] ?? ''));

const across = ACROSS.flatMap((group) => group.statements);

const PUT_IN = 'What is put into it, made elsewhere in the file, begins with the company.';
const NEW_KEY = 'Every company at once, with Huella stopped: `npm run admin -- rotar-clave`.';
const LOST_KEY =
  'Every company at once: `npm run admin -- clave-perdida`, or a restore without the key.';

/** Why one that names no company is well, by how it begins; besides those of `ACROSS`. */
const NONE_NAMED: Readonly<Record<string, string>> = {
  'delete from recovery_codes': NEW_KEY,
  "delete from mail_jobs where kind = 'codigo' and sent_at is null": NEW_KEY,
  'delete from certificates where kek_id <> …': LOST_KEY,
  'select count(*)::integer as count from certificates where kek_id <> …': LOST_KEY,
  'delete from idempotency_keys where … and (created_at': PUT_IN,
  'select * from invoices where … …': PUT_IN,
  'select count(*)::int as count from invoices where …': PUT_IN,
};

it('is of one company, or written down as one that is not', () => {
  const owned = ownedTables();
  expect(statements.length).toBeGreaterThan(300);
  expect(owned.size).toBeGreaterThan(25);
  const strays = statements.filter(
    (statement) =>
      touches(statement, owned) &&
      !/company_id|ofCompanies|ofOneCompany|companyId/.test(statement.source) &&
      !isAcross(statement) &&
      !Object.keys(NONE_NAMED).some((start) => plain(statement).startsWith(start)),
  );
  expect(strays.map((stray) => `${stray.place} ${plain(stray)}`)).toEqual([]);
});

it('locks rows of one company', () => {
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

it('says nothing to the machines of a distributed database by `set_config`, which does not reach them', () => {
  const settings = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /set_config\(\s*'(?:huella|app)\./.test(readFileSync(`src/${file}`, 'utf8')));
  expect(settings).toEqual([]);
});

/** Tables that some migration makes with a company; a payment is of nobody before there is an account. */
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

function touches({ pieces }: Written, tables: ReadonlySet<string>): boolean {
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

/** Reads a template from behind its first quote to its last, whatever is put into it, templates too. */
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

/** Where the brace is that closes what was put in. */
function expressionEnd(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '`') at = template(text, at + 1).end;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  throw new Error('What is put into a template has no end.');
}
