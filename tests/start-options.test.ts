import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

/** What `npm start` gives Node, and its environment. */
const [settings = '', command = ''] = packageJson.scripts.start.split(' exec node ');
const options = command.split(' ').filter((word) => word.startsWith('--'));

/** Asks a server a few things, and prints the most memory that V8 had taken from the C library, in MB. */
const ASK = `
  const server = require('node:http').createServer((_, answer) => answer.end('ok'));
  server.listen(0, '127.0.0.1', async () => {
    const { port } = server.address();
    for (let i = 0; i < 5; i++) await (await fetch('http://127.0.0.1:' + port)).text();
    await new Promise((resolve) => setTimeout(resolve, 200));
    console.log(require('node:v8').getHeapStatistics().peak_malloced_memory / 1e6);
    process.exit();
  });`;

describe('the options of Node', () => {
  it('are the same in npm start, the unit and the container', () => {
    const unit = readFileSync('deploy/huella@.service', 'utf8');
    const image = readFileSync('deploy/Dockerfile', 'utf8');
    expect(unit).toContain(`\nExecStart=node ${options.join(' ')} dist/server/main.js\n`);
    expect(unit).toMatch(new RegExp(`^Environment=.* ${settings}$`, 'm'));
    const words = ['node', ...options, 'dist/server/main.js'].map((word) => `"${word}"`);
    expect(image).toContain(`\nCMD [${words.join(', ')}]\n`);
    expect(image).toContain(`\nENV ${settings}\n`);
  });

  it('keep V8 from optimizing the parser of HTTP, which takes thirty megabytes', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [...options, '-e', ASK], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(Number(stdout)).toBeLessThan(15);
  });
});
