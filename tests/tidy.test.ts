import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

/** One import line of one file. */
interface Import {
  readonly from: string;
  /** The names that it imports; null for all of them, as with `import()` and `* as`. */
  readonly names: readonly string[] | null;
  /** Path in the repo, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
}

/**
 * What each layer of `src/` may import from the others (STYLE §2). `config.ts` and `deps.ts` are passed to everything
 * on the server; `part.ts` finds the code of what runs in a thread or process beside it.
 */
const LAYERS: Readonly<Record<string, { readonly may: readonly string[]; readonly why: string }>> =
  {
    import: {
      may: ['contract', 'domain', 'part'],
      why: 'a file is read and judged, nothing is saved',
    },
    reading: {
      may: ['domain', 'part'],
      why: 'a document is read in a process of its own, nothing is saved',
    },
    contract: { may: [], why: 'the contract is shapes and nothing else' },
    domain: { may: [], why: 'the domain is pure: what it needs comes as arguments' },
    store: { may: ['contract', 'domain'], why: 'the store only knows SQL and the domain' },
    certificate: { may: ['domain', 'store'], why: 'certificates are read and sealed, no more' },
    pdf: { may: ['domain'], why: 'the page is drawn from the frozen invoice' },
    payments: {
      may: ['config', 'domain'],
      why: 'payments speak Redsys’s language and know nothing of who pays',
    },
    'business-central': {
      may: ['domain'],
      why: 'it speaks Business Central’s language; what becomes of it is for operations',
    },
    operations: {
      may: [
        'business-central',
        'certificate',
        'config',
        'contract',
        'deps',
        'domain',
        'import',
        'part',
        'payments',
        'pdf',
        'reading',
        'store',
      ],
      why: 'an operation knows nothing of HTTP nor of the AEAT’s service',
    },
    mail: {
      may: ['config', 'deps', 'domain', 'operations', 'store'],
      why: 'mail goes out by itself, from its own queue',
    },
    dispatch: {
      may: ['certificate', 'deps', 'domain', 'operations', 'store'],
      why: 'dispatch works on the registros, whoever made them',
    },
    api: {
      may: ['config', 'contract', 'deps', 'domain', 'operations', 'payments', 'store'],
      why: 'a route checks the shape, calls one operation or one read, presents the result',
    },
    threads: {
      may: ['operations', 'platform', 'store'],
      why: 'a thread opens what an operation is given, and runs it',
    },
    platform: { may: ['config', 'part', 'store'], why: 'the platform knows nothing of invoices' },
    verificador: { may: ['domain'], why: 'the page that works offline has no server' },
    web: { may: ['contract', 'domain'], why: 'the web talks to the server over HTTP' },
  };

/** The only I/O-like import of the domain: SHA-256. */
const DOMAIN_MODULES = new Set(['node:crypto']);

const EXPORTED = /^export\s+(?:async\s+)?(function\*?|const|let|class|interface|type)\s+(\w+)/gm;

/** What only tests import, and why it exists. */
const NOT_IMPORTED: readonly string[] = [
  // The chapter of the manual is compared with the columns as the template explains them.
  'src/import/template.ts: manualColumns',
  // `vite.verificador.config.ts` puts it in the place of `node:crypto`.
  'src/verificador/sha256.ts: hash',
  // `scripts/prerender.mjs` imports it from the build.
  'src/web/app/public/landing-document.tsx: landingDocument',
  // What the drawing of the QR beside it has to contain.
  'src/web/features/landing/example-qr.ts: EXAMPLE_QR_TEXT',
  // The codes of the simulator are compared with ours.
  'simulators/aeat/codes.ts: CODES',
];

const sources = ['src', 'simulators', 'tests', 'bench'].flatMap((folder) => filesUnder(folder));
const imports = sources.filter((file) => /\.tsx?$/.test(file)).flatMap(importsOf);
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const productImports = imports.filter(({ from }) => !isTest(from) && !from.startsWith('tests/'));

/** Each case is a list of sentences, so that a failure says which file and why. */
describe('imports go in the directions of STYLE §2', () => {
  it('between the layers of src', () => {
    const wrong = productImports.flatMap(({ from, to }) => {
      const layer = layerOf(from);
      const target = layerOf(to);
      const rule = layer ? LAYERS[layer] : undefined;
      if (!rule || !target || layer === target || rule.may.includes(target)) return [];
      return [`${from} imports ${to}: ${rule.why}`];
    });
    expect(wrong).toEqual([]);
  });

  it('no layer may import another that it does not use', () => {
    const used = new Set(productImports.map(({ from, to }) => `${layerOf(from)} ${layerOf(to)}`));
    const idle = Object.entries(LAYERS).flatMap(([layer, { may }]) =>
      may
        .filter((target) => !used.has(`${layer} ${target}`))
        .map((target) => `${layer}: ${target}`),
    );
    expect(idle).toEqual([]);
  });

  it('every folder of src has a rule here', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const known = [...Object.keys(LAYERS), 'cli'];
    expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('the simulators share no code with src', () => {
    const wrong = imports.flatMap(({ from, to }) => {
      const crosses =
        (from.startsWith('simulators/') && to.startsWith('src/')) ||
        (from.startsWith('src/') && to.startsWith('simulators/'));
      return crosses ? [`${from} imports ${to}: our mistake would approve itself`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('the domain imports nothing from outside', () => {
    const wrong = productImports.flatMap(({ from, to }) => {
      const isOutside = to.startsWith('node:') && !DOMAIN_MODULES.has(to);
      return layerOf(from) === 'domain' && isOutside ? [`${from} imports ${to}: it is pure`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('the browser gets no registro code and no schemas', () => {
    const wrong = productImports.flatMap(({ from, to, isType }) => {
      if (layerOf(from) !== 'web' || isType) return [];
      if (to.startsWith('src/contract/')) return [`${from} imports ${to}: only its types`];
      if (to === 'zod') return [`${from} imports zod: it stays on the server`];
      const isRegistro = to.startsWith('src/domain/verifactu/');
      return isRegistro ? [`${from} imports ${to}: registros are made on the server`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('a web feature imports no other, and what they share imports none', () => {
    const wrong = productImports.flatMap(({ from, to }) => {
      const [feature, target] = [webPartOf(from), webPartOf(to)];
      if (!feature || !target || feature === target || feature === 'app') return [];
      if (target === 'app') return [`${from} imports ${to}: app/ is on top of everything`];
      if (!target.startsWith('features/')) return [];
      return [`${from} imports ${to}: app/ puts features side by side`];
    });
    expect(wrong).toEqual([]);
  });

  it('Node imports what is in `dependencies`, the browser what Vite bundles', () => {
    const runtime = Object.keys(packageJson.dependencies);
    const wrong = productImports.flatMap(({ from, to, isType }) => {
      const isServer = /^(src|simulators)\//.test(from) && layerOf(from) !== 'web';
      const isPackage = !/^(src|simulators|bench|node:|package\.json)/.test(to);
      if (!isServer || !isPackage || isType || runtime.includes(packageOf(to))) return [];
      return [`${from} imports ${to}: it is missing from "dependencies"`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('code stays where it belongs', () => {
  const product = sources.filter((file) => /^(src|simulators)\//.test(file) && !isTest(file));
  const found = (files: readonly string[], pattern: RegExp, why: string) =>
    files.flatMap((file) =>
      pattern.test(withoutComments(readFileSync(file, 'utf8'))) ? [`${file}: ${why}`] : [],
    );

  it('only operations and dispatch open transactions', () => {
    const outside = product.filter((file) => /^src\/(api|store|mail|pdf|certificate)\//.test(file));
    const own = ['src/store/sql.ts', 'src/store/reading-turns.ts'];
    const others = outside.filter((file) => !own.includes(file));
    const why = 'store functions take tx, routes call operations';
    expect(found(others, /\.begin\(|\bpipelined\(/, why)).toEqual([]);
  });

  it('money is never a float', () => {
    const why = 'use domain/money.ts';
    expect(found(product, /\bparseFloat\(|\.toFixed\(/, why)).toEqual([]);
    const amount = /\bNumber\(\w+\.(?:total|amount|base|vat|cuota)\)/;
    expect(found(product, amount, why)).toEqual([]);
  });

  it('no address is decoded just to see whether it can be, which the bundler leaves out', () => {
    const unused = /(?<=[{};]\n\s*)(?:de|en)codeURI(?:Component)?\([^;]*\);/;
    expect(found(product, unused, 'use what it returns')).toEqual([]);
  });

  it('no effect returns what scrolling returns: a promise in newer browsers, which undoes nothing', () => {
    const returned = /\buse(?:Layout)?Effect\(\s*\(\) =>\s*[^{\s][^;{]*\.scroll\w*\(/;
    expect(found(product, returned, 'write the effect in braces')).toEqual([]);
  });

  it('no object literal is spread where it is written', () => {
    const everything = [...sources, ...filesUnder('scripts')];
    const spread = /(?<=[{,]\s*)\.\.\.\{/;
    expect(found(everything, spread, 'write its properties')).toEqual([]);
  });

  it('what is exported is used, by its own file or by another than tests', () => {
    const users = imports.filter(({ from }) => !isTest(from) && !from.startsWith('tests/'));
    const unused = exportsOf(product).filter(
      ({ times, ...one }) => times === 1 && !isTaken(users, one),
    );
    expect(unused.map(({ file, name }) => `${file}: ${name}`)).toEqual(NOT_IMPORTED);
  });

  it('no value is exported only for its own file', () => {
    const alone = exportsOf(product).filter(
      ({ isValue, times, ...one }) => isValue && times > 1 && !isTaken(imports, one),
    );
    expect(alone.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('only config.ts reads the environment', () => {
    const inside = product.filter((file) =>
      /^src\/(?!web\/|config|main\.ts|cli\/|platform\/)/.test(file),
    );
    expect(found(inside, /process\.env/, 'it comes in Config')).toEqual([]);
  });
});

describe('files', () => {
  it('are named in kebab-case', () => {
    const named = [...sources, ...filesUnder('scripts')].filter((file) =>
      /\.(tsx?|mjs|css|sql)$/.test(file),
    );
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|module|d))?\.(tsx?|mjs|css|sql)$/;
    expect(named.filter((file) => !kebab.test(basename(file)))).toEqual([]);
  });

  it('none only re-exports others', () => {
    expect(sources.filter((file) => /^index\.tsx?$/.test(basename(file)))).toEqual([]);
  });

  it('cite only what every reader has: an article, a document of the AEAT or its code', () => {
    const everything = [...sources, ...['scripts', 'migrations', 'docs'].flatMap(filesUnder)];
    const notes =
      /\b(?:VERIFACTU|CONTRACT|SECURITY|UI) §|\b[Tt]he specification\b|[Ss]pecification §/;
    const citing = everything
      .filter((file) => /\.(tsx?|mjs|sql|md)$/.test(file))
      .filter((file) => notes.test(readFileSync(file, 'utf8')));
    expect(citing).toEqual([]);
  });

  it('style sheets change the layout at widths that grow with the text', () => {
    const inPixels = /@(?:media|container)[^{]+\dpx/;
    const fixed = sources
      .filter((file) => file.endsWith('.css'))
      .filter((file) => inPixels.test(readFileSync(file, 'utf8')));
    expect(fixed, 'in em, or rem in container queries').toEqual([]);
  });

  it('migrations have a number each', () => {
    const numbers = readdirSync('migrations').map(
      (name) => /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1],
    );
    expect(numbers).toEqual([...new Set(numbers)].sort());
    expect(numbers).not.toContain(undefined);
  });

  it('docs/law.md names tests that exist', () => {
    const text = readFileSync('docs/law.md', 'utf8');
    const named = [...text.matchAll(/`([^`\s]+\.test\.ts)` «([^»]+)»/g)];
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(
      ([, path = '', name = '']) => !readFileSync(path, 'utf8').includes(name),
    );
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });

  it('docs/law.md names the AEAT codes that each file of validations checks', () => {
    const text = readFileSync('docs/law.md', 'utf8');
    const rows = [...text.matchAll(/^\| Validations: [^|(]*\(([^)|]*)\) \| `([^`]+)`/gm)];
    const codesIn = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/'(\d{4})'/g)].map(([, code = '']) => code);
    expect(rows.length).toBeGreaterThan(4);
    const told = rows.map(([, codes = '', file = '']) => [file, codes.split(', ')]);
    const checked = rows.map(([, , file = '']) => [file, [...new Set(codesIn(file))].sort()]);
    expect(told).toEqual(checked);
  });

  it('docs/law.md names files that exist', () => {
    const text = readFileSync('docs/law.md', 'utf8');
    const named = [...text.matchAll(/`((?:src|simulators|tests|migrations|docs)\/[^`\s]+)`/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([, path]) => path ?? '').filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('documents', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'STYLE.md',
    'CHANGELOG.md',
    ...filesUnder('docs'),
  ]
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

  it('link to what exists', () => {
    const dead = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)]
        .map(([, path = '']) => join(dirname(file), path))
        .filter((path) => !existsSync(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(dead).toEqual([]);
  });

  it('name files that exist', () => {
    const path = /`((?:src|simulators|tests|migrations|docs|scripts|deploy)\/[^`\s…]+)`/g;
    const missing = documents
      .filter(({ file }) => file !== 'STYLE.md') // Its names are examples.
      .flatMap(({ file, text }) =>
        [...text.matchAll(path)]
          .map(([, named = '']) => named)
          .filter((named) => !existsSync(named))
          .map((named) => `${file}: ${named}`),
      );
    expect(missing).toEqual([]);
  });

  it('give each decision in the same form, and list them all', () => {
    const index = readFileSync('docs/decisions/README.md', 'utf8');
    const parts = [
      /^# \d{4}\. .+\n\n\d{4}-\d\d-\d\d · (?:accepted|superseded)/,
      /^## Context$/m,
      /^## Decision$/m,
      /^## Consequences$/m,
    ];
    const wrong = documents
      .map(({ file, text }) => ({ name: basename(file), file, text }))
      .filter(({ file }) => /^docs\/decisions\/\d/.test(file))
      .filter(
        ({ name, text }) => !index.includes(`](${name})`) || parts.some((part) => !part.test(text)),
      );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('name commands that exist', () => {
    const known = Object.keys(packageJson.scripts);
    const unknown = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/npm run ([a-z][a-z0-9:-]*)/g)]
        .map(([, command = '']) => command)
        .filter((command) => !known.includes(command))
        .map((command) => `${file}: npm run ${command}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('what npm installs', () => {
  it('runs on the oldest Node version that we promise', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const oldest = Number(/\d+/.exec(packageJson.engines.node)?.[0]);
    const newer = Object.entries(packages).filter(([, { engines }]) => {
      const least = /^\s*>=?\s*v?(\d+)[\d.]*\s*$/.exec(engines?.node ?? '')?.[1];
      return least !== undefined && Number(least) > oldest;
    });
    expect(newer.map(([path]) => path)).toEqual([]);
  });
});

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

/** What files export by name, and how often each one mentions that name. */
function exportsOf(files: readonly string[]) {
  // What helps the simulators' own tests is for tests.
  const own = files.filter((file) => /\.tsx?$/.test(file) && !/^simulators\/testing\//.test(file));
  return own.flatMap((file) => {
    const text = withoutComments(readFileSync(file, 'utf8'));
    return [...text.matchAll(EXPORTED)].map(([, kind = '', name = '']) => ({
      file,
      name,
      isValue: kind !== 'interface' && kind !== 'type',
      times: text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0,
    }));
  });
}

function isTaken(users: readonly Import[], { file, name }: { file: string; name: string }) {
  return users.some(
    ({ to, names, from }) =>
      to === file &&
      (names?.includes(name) ?? wordsOf(withoutComments(readFileSync(from, 'utf8'))).has(name)),
  );
}

function importsOf(file: string): Import[] {
  const text = withoutComments(readFileSync(file, 'utf8'));
  const statements = text.matchAll(
    /^(?:import|export)\s+(?:([\w\s{},*$]*?)\s+from\s+)?['"]([^'"]+)['"]/gm,
  );
  const calls = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statements].map(([, head = '', to = '']) => ({
      from: file,
      to: resolved(file, to),
      isType: isTypeOnly(head),
      names: namesOf(head),
    })),
    ...[...calls].map(([, to = '']) => ({
      from: file,
      to: resolved(file, to),
      isType: false,
      names: null,
    })),
  ];
}

/** `['A', 'B']` for `{ A, type B as C }`. */
function namesOf(head: string): string[] | null {
  const braced = /\{([^}]*)\}/.exec(head)?.[1];
  if (braced === undefined) return null;
  return braced.split(',').map((name) => /^\s*(?:type\s+)?(\w*)/.exec(name)?.[1] ?? '');
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/\w+/g));
}

/** `type { A }`, or `{ type A, type B }`: nothing is left of it at run time. */
function isTypeOnly(head: string): boolean {
  if (/^type\b/.test(head)) return true;
  const names = /^\{([^}]*)\}/
    .exec(head)?.[1]
    ?.split(',')
    .filter((name) => name.trim());
  return names?.every((name) => /^\s*type\s/.test(name)) ?? false;
}

function resolved(file: string, to: string): string {
  return to.startsWith('.') ? normalize(join(dirname(file), to)) : to;
}

/** `domain` for `src/domain/money.ts`, `config` for `src/config.ts`. */
function layerOf(path: string): string | null {
  return /^src\/([^/.]+)/.exec(path)?.[1] ?? null;
}

/** `app`, `lib`, `ui` or `features/invoices`. */
function webPartOf(path: string): string | null {
  return /^src\/web\/(features\/[^/]+|app|lib|ui)\//.exec(path)?.[1] ?? null;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
