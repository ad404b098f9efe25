import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NEEDED, untried } from '../scripts/programs.mjs';

describe('programs that a machine may lack', () => {
  it('are named together with what is not tested without them', () => {
    expect(untried((name) => name !== 'nginx' && name !== 'promtool')).toBe(
      'Sin probar aquí: el proxy de nginx, las alertas, porque faltan: nginx, promtool',
    );
    expect(untried(() => true)).toBeNull();
  });

  it('are all programs that some test can do without', () => {
    const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.test.ts'),
    );
    const asked = files.flatMap((file) =>
      [...readFileSync(`tests/${file}`, 'utf8').matchAll(/findProgram\('([\w-]+)'\)/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect([...new Set(asked)].sort()).toEqual(Object.keys(NEEDED).sort());
  });
});
