import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { Life } from './life.ts';

const log = pino({ level: 'silent' });

describe('the end of a process', () => {
  it('closes in the reverse order of the start', async () => {
    const life = new Life(log);
    const closed: string[] = [];
    for (const name of ['database', 'server']) life.onClose(name, () => closed.push(name));
    await life.close();
    expect(closed).toEqual(['server', 'database']);
  });

  it('notifies at once what can stop meanwhile, and waits for it in its turn', async () => {
    const life = new Life(log);
    const seen: string[] = [];
    life.onClose('database', () => seen.push('database closed'));
    for (const name of ['sender', 'chore']) {
      life.onEnding(name, async () => {
        seen.push(`${name} told`);
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        seen.push(`${name} stopped`);
      });
    }
    life.onClose('server', async () => {
      seen.push(`server closing, ending: ${life.ending.aborted}`);
      await new Promise(setImmediate);
    });
    await Promise.all([life.close(), life.close()]);
    expect(seen).toEqual([
      'sender told',
      'chore told',
      'server closing, ending: true',
      'sender stopped',
      'chore stopped',
      'database closed',
    ]);
  });

  it('goes on if something fails to stop, and stops what starts meanwhile', async () => {
    const life = new Life(log);
    const closed: string[] = [];
    life.onClose('database', () => {
      closed.push('database');
      life.onEnding('late', () => closed.push('late'));
    });
    life.onEnding('broken', () => {
      throw new Error('It does not stop.');
    });
    await life.close();
    expect(closed).toEqual(['database', 'late']);
  });
});
