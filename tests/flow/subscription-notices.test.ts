import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startMailWorker } from '../../src/mail/worker.ts';
import { tellSubscriptionEnds } from '../../src/operations/tell-subscription-ends.ts';
import { setSubscription } from '../../src/store/companies.ts';
import { copyCompany } from '../support/many-companies.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

const DAY = 86_400;

let world: World;
let company: TestCompany;

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674', 'Obrador Candela, S.L.');
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.sql`delete from mail_jobs`;
  await world.sql`delete from subscription_notices`;
});

const endsIn = async (days: number, type: 'annual' | 'Demo' = 'annual') => {
  const endsAt = new Date(world.deps.clock().getTime() + days * DAY * 1000);
  await setSubscription(world.sql, company.id, { type, endsAt });
  return endsAt;
};

const queued = async () =>
  (await world.sql<{ kind: string }[]>`select kind from mail_jobs order by id`).map(
    ({ kind }) => kind,
  );

const tell = () => tellSubscriptionEnds(world.deps);

// First, because the session would not survive the days that the other tests let pass.
it('a question to support reaches the provider, with a copy to the user who asked', async () => {
  expectOk(
    await company.call('POST', '/api/PostData/sendMailSupport', {
      Asunto: 'Una duda',
      Body: '¿Puedo cambiar de plan?',
    }),
  );
  const worker = startMailWorker(world.deps, { smtpUrl: world.runtime.smtpUrl });
  const copies = await untilTrue(
    async () =>
      (await (await world.control('/desarrollo/correo?para=b12345674@ejemplo.es')).json()) as {
        asunto: string;
        texto: string;
      }[],
    (found) => found.some(({ asunto }) => asunto === 'Hemos recibido tu consulta: Una duda'),
  );
  await worker.stop();
  expect(copies.find(({ asunto }) => asunto.startsWith('Hemos recibido'))?.texto).toContain(
    '¿Puedo cambiar de plan?',
  );
});

it('is announced a week before, once, however many processes look at the same time', async () => {
  await endsIn(7.5);
  expect(await tell()).toBe(0);
  world.advanceClock(DAY);
  const told = await Promise.all([tell(), tell(), tell(), tell()]);
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await tell()).toBe(0);
  expect(await queued()).toEqual(['suscripcion-caduca']);
});

it('is announced when it is over, once, and after a renewal for the next end', async () => {
  await endsIn(-0.1);
  expect([await tell(), await tell()]).toEqual([1, 0]);
  expect(await queued()).toEqual(['suscripcion-caducada']);
  await endsIn(30);
  expect(await tell()).toBe(0);
  world.advanceClock(24 * DAY);
  expect(await tell()).toBe(1);
  world.advanceClock(7 * DAY);
  expect(await tell()).toBe(1);
  expect(await queued()).toEqual([
    'suscripcion-caducada',
    'suscripcion-caduca',
    'suscripcion-caducada',
  ]);
});

it('is not announced if it was long ago, nor for a deleted account', async () => {
  await endsIn(-31);
  expect(await tell()).toBe(0);
  await endsIn(3);
  await world.sql`update companies set deleted_at = now() where id = ${company.id}`;
  expect(await tell()).toBe(0);
  await world.sql`update companies set deleted_at = null where id = ${company.id}`;
});

it('is announced in words, and not at all after a renewal', async () => {
  const email = 'b12345674@ejemplo.es';
  await endsIn(3);
  await tell();
  await endsIn(200);
  const worker = startMailWorker(world.deps, { smtpUrl: world.runtime.smtpUrl });
  const [job] = await untilTrue(
    () => world.sql<{ failed_at: Date | null; last_error: string }[]>`select * from mail_jobs`,
    ([found]) => found?.failed_at != null,
  );
  expect(job?.last_error).toBe('La suscripción se ha renovado.');

  await endsIn(3, 'Demo');
  await tell();
  worker.wake();
  const messages = await untilTrue(
    async () =>
      (await (await world.control(`/desarrollo/correo?para=${email}`)).json()) as {
        asunto: string;
        texto: string;
      }[],
    ([newest]) => newest?.asunto.startsWith('Tu demo de Huella acaba') === true,
  );
  await worker.stop();
  expect(messages[0]?.texto).toContain('/registro/paso3?renovacion');
  expect(messages.map(({ asunto }) => asunto)).not.toContainEqual(
    expect.stringMatching(/suscripción acaba/),
  );
});

it('is announced to all whose time has come, even if they are more than one search returns', async () => {
  await endsIn(3);
  await copyCompany(world.sql, company.id, 450);
  expect(await tell()).toBe(451);
  expect(new Set(await queued())).toEqual(new Set(['suscripcion-caduca']));
});
