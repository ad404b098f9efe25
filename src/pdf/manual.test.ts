import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPdf } from '../../tests/pdf/read-pdf.ts';
import { projectRoot } from '../platform/project-root.ts';
import { drawManual } from './manual.ts';

const folder = join(projectRoot, 'docs', 'manual');
const picture = (href: string) => readFileSync(join(folder, href));
const draw = (chapters: readonly string[]) =>
  drawManual({ chapters, picture, version: '1.2.3', day: '2026-11-20' });

it('draws the whole manual, with a table of contents that gives the page of each part', async () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const chapters = files.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
  const { pages, title, language, text } = await readPdf(await draw(chapters));
  expect([title, language]).toEqual(['Manual de Huella', 'es-ES']);
  expect(text).toContain('Versión 1.2.3');

  const headings = chapters.flatMap((chapter) => chapter.match(/^##? .+$/gm) ?? []);
  expect(headings.length).toBeGreaterThan(30);
  const firstChapter = pages.findIndex(({ text }) => text.startsWith(headings[0]?.slice(2) ?? ''));
  const contents = pages
    .slice(1, firstChapter)
    .map((page) => page.text)
    .join(' ');
  for (const heading of headings) {
    const words = heading.replace(/^#+ /, '');
    const at = new RegExp(`${words.replace(/[.*+?()]/g, '\\$&')} +(\\d+)`).exec(contents);
    expect([words, pages[Number(at?.[1]) - 1]?.text]).toEqual([
      words,
      expect.stringContaining(words),
    ]);
  }
});

it('continues the table of contents on a second page if it does not fit on one', async () => {
  const sections = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `## Apartado ${from + i}\n\nTexto.`).join('\n\n');
  // The last chapter would be at the foot of the first page, separated from its sections.
  const first = `# Primero\n\n${sections(1, 42)}`;
  const { pages } = await readPdf(await draw([first, `# Segundo\n\n${sections(42, 70)}`]));
  expect(pages[1]?.text).toMatch(/^Contenido Primero +\d+ .*Apartado 41 +\d+ Manual de Huella/s);
  expect(pages[2]?.text).toMatch(/^Segundo +(\d+) .*Apartado 69 +\d+/s);
  const second = Number(/^Segundo +(\d+)/.exec(pages[2]?.text ?? '')?.[1]);
  expect(pages[3]?.text).toMatch(/^Primero/);
  expect(pages[second - 1]?.text).toMatch(/^Segundo Apartado 42/);
});

it('begins each chapter on a new page and continues it if it does not fit', async () => {
  const long = Array.from({ length: 120 }, (_, i) => `Frase número ${i} de un párrafo largo.`);
  const { pages } = await readPdf(await draw(['# Uno\n\nHola.', `# Dos\n\n${long.join(' ')}`]));
  expect(pages[2]?.text).toMatch(/^Uno Hola\./);
  expect(pages[3]?.text).toContain('Frase número 0 de');
  expect(pages[4]?.text).toContain('Frase número 119 de');
});

it('keeps the number of a list item with its text', async () => {
  const step = 'Elige lo que toca y escribe por qué, con las palabras que usarías con tu cliente. ';
  for (let filler = 24; filler < 31; filler++) {
    const before = Array.from({ length: filler }, () => 'Párrafo.').join('\n\n');
    const list = `1. Uno.\n2. ${step.repeat(3)}`;
    const { pages } = await readPdf(await draw([`# Uno\n\n${before}\n\n${list}`]));
    for (const { text } of pages.slice(2)) {
      if (text.includes('2.'))
        expect([filler, text]).toEqual([filler, expect.stringContaining('2. Elige')]);
    }
  }
});

it('describes each picture to users who do not see it', async () => {
  const { pages } = await readPdf(await draw(['# Uno\n\n![La lista](pictures/inicio.png)']));
  expect(JSON.stringify(pages[2]?.structure)).toContain('"alt":"La lista"');
});

it('refuses what it cannot draw', async () => {
  await expect(draw(['# Uno\n\n```\ncódigo\n```'])).rejects.toThrow('«code»');
});
