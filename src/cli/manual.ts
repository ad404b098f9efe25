import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { drawManual } from '../pdf/manual.ts';
import { projectRoot } from '../platform/project-root.ts';

/** Writes the user manual as PDF, from `docs/manual`: `scripts/run.mjs src/cli/manual.ts OUT`. */
async function main(out: string | undefined): Promise<void> {
  if (!out) throw new Error('Falta dónde escribir el manual.');
  const folder = join(projectRoot, 'docs', 'manual');
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const pdf = await drawManual({
    chapters: files.sort().map((name) => readFileSync(join(folder, name), 'utf8')),
    picture: (href) => readFileSync(join(folder, href)),
    version: packageJson.version,
    day: new Date().toISOString().slice(0, 10),
  });
  writeFileSync(out, pdf);
}

await main(process.argv[2]);
