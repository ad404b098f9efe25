/** The page that checks registros offline: files dropped on it never leave the browser. */

import {
  type Comprobacion,
  comprobar,
  type Fuente,
  FuenteDanada,
} from '../domain/verifactu/comprobar.ts';
import { sourcesOfZip } from './zip.ts';

const SHOWN = 20;
const CHOOSE_AGAIN = 'Comprueba que el archivo sigue donde estaba y elígelo otra vez.';

const input = element('archivos') as HTMLInputElement;
const drop = element('zona');
const result = element('resultado');
let turn = 0;

input.addEventListener('change', () => {
  if (input.files?.length) void run([...input.files]);
});
for (const type of ['dragenter', 'dragover'] as const) {
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.dataset.over = 'si';
  });
}
for (const type of ['dragleave', 'drop'] as const) {
  drop.addEventListener(type, () => delete drop.dataset.over);
}
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length > 0) void run(files);
});
// Opened from a disk: there is nothing to download.
if (location.protocol === 'file:') element('descarga').hidden = true;

async function run(files: readonly File[]): Promise<void> {
  const mine = ++turn; // Whatever was being checked before no longer matters.
  let lastShown = 0;
  const onFile = (done: number, total: number) => {
    if (mine !== turn || performance.now() - lastShown < 200) return;
    lastShown = performance.now();
    show(note(`Comprobando ${number(done)} de ${number(total)} archivos…`));
  };
  show(note('Comprobando…'));
  const reports: Node[] = [];
  try {
    for (const { name, sources } of await groupsOf(files, reports)) {
      reports.push(report(name, await comprobar(sources, onFile)));
    }
  } catch (error) {
    // A browser reads no more of a file that has been changed or moved since it was chosen.
    reports.push(card('Sin comprobar', [line('mal', 'No se ha podido leer.', CHOOSE_AGAIN)]));
    throw error;
  } finally {
    if (mine === turn) show(...reports);
  }
}

/** Each ZIP separately; loose files together, because they may form one cadena. */
async function groupsOf(files: readonly File[], reports: Node[]) {
  const groups: { name: string; sources: Fuente[] }[] = [];
  const loose: Fuente[] = [];
  for (const file of files) {
    if (!/\.zip$/i.test(file.name)) {
      loose.push({
        name: file.name,
        isGiven: true,
        read: async () => new Uint8Array(await file.arrayBuffer()),
      });
      continue;
    }
    try {
      groups.push({ name: file.name, sources: await sourcesOfZip(file) });
    } catch (error) {
      if (!(error instanceof FuenteDanada)) throw error;
      const way = 'Expórtalo o cópialo otra vez y vuelve a elegirlo.';
      reports.push(card(file.name, [line('mal', 'No se puede abrir.', `${error.message} ${way}`)]));
    }
  }
  if (loose.length > 0) {
    groups.push({
      name: loose.length === 1 ? (loose[0]?.name ?? '') : `${loose.length} archivos`,
      sources: loose,
    });
  }
  return groups;
}

function report(name: string, { registros, cadenas, damage, avisos }: Comprobacion): Node {
  const lines = damage.slice(0, SHOWN).map(({ file, motivo }) => line('mal', file, motivo));
  if (damage.length > SHOWN) lines.push(note(`… y ${number(damage.length - SHOWN)} archivos más.`));
  lines.push(...avisos.map(note));
  for (const { emisor, registros: count, instalaciones, rotura } of cadenas) {
    const many = instalaciones > 1 ? ` de ${instalaciones} instalaciones` : '';
    lines.push(
      rotura
        ? line(
            'mal',
            `${emisor}: la cadena se rompe en la factura ${rotura.NumSerieFactura}.`,
            rotura.motivo,
          )
        : line(
            'bien',
            `${emisor}: ${count === 1 ? '1 registro' : `${number(count)} registros${many}`}`,
            'Cada uno con su huella y bien enlazado con el anterior.',
          ),
    );
  }
  if (registros === 0 && damage.length === 0) {
    lines.push(
      note('No hay ningún registro que comprobar. Elige el ZIP que exportaste o los XML.'),
    );
  }
  return card(name, lines);
}

function show(...nodes: readonly Node[]): void {
  result.replaceChildren(...nodes);
}

function card(title: string, lines: readonly Node[]): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = title;
  section.append(heading, ...lines);
  return section;
}

function line(tone: 'bien' | 'mal', title: string, detail: string): HTMLElement {
  const item = document.createElement('div');
  item.className = `linea ${tone}`;
  const mark = document.createElement('span');
  mark.className = 'marca';
  mark.textContent = tone === 'bien' ? 'Bien' : 'Mal';
  const words = document.createElement('div');
  const strong = document.createElement('strong');
  strong.textContent = title;
  const text = document.createElement('p');
  text.textContent = detail;
  words.append(strong, text);
  item.append(mark, words);
  return item;
}

function note(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  return paragraph;
}

const number = (value: number) => value.toLocaleString('es-ES');

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}
