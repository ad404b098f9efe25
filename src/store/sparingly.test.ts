import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sparingly } from './sparingly.ts';

/** A question that is answered with how many times it was asked, when the test says so. */
function slowly() {
  let asked = 0;
  let answer: (() => void)[] = [];
  return {
    ask: async () => {
      const mine = ++asked;
      await new Promise<void>((resolve) => answer.push(resolve));
      return mine;
    },
    asked: () => asked,
    answer: () => {
      for (const one of answer) one();
      answer = [];
    },
  };
}

it('asks once for all who want to know meanwhile', async () => {
  const question = slowly();
  const ask = sparingly(question.ask);
  const both = [ask(), ask()];
  question.answer();
  expect(await Promise.all(both)).toEqual([1, 1]);
});

it('gives the last answer while the next one is long in coming, and then that', async () => {
  const question = slowly();
  const ask = sparingly(question.ask);
  const first = ask();
  question.answer();
  await first;
  await sleep(50); // Ten times the instant it took.
  expect(await ask()).toBe(1); // Half a second later: the second question has no answer yet.
  expect(question.asked()).toBe(2);
  await sleep(20);
  question.answer();
  expect(await ask()).toBe(2);
});

it('lets what took long stand for longer', async () => {
  const question = slowly();
  const ask = sparingly(question.ask);
  const first = ask();
  await sleep(100);
  question.answer();
  await first;
  expect(await ask()).toBe(1);
  expect(question.asked()).toBe(1);
});

it('passes on a failure, and asks again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('here')];
  for (const one of answers) one.catch(() => undefined);
  const ask = sparingly(() => answers.shift() as Promise<string>);
  await expect(ask()).rejects.toThrow('away');
  expect(await ask()).toBe('here');
});
