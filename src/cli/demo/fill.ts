import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import { InvoiceDraft as Draft, type InvoiceDraft } from '../../contract/invoices.ts';
import { ClienteBody, ProductoBody } from '../../contract/parties.ts';
import type { Deps } from '../../deps.ts';
import { addDays, isoDateIn } from '../../domain/dates.ts';
import { TERMS_VERSION } from '../../domain/terms.ts';
import { cancelInvoice } from '../../operations/cancel-invoice.ts';
import { changeCompanyData } from '../../operations/change-company.ts';
import { changePicture } from '../../operations/change-picture.ts';
import { createCompany } from '../../operations/create-company.ts';
import type { RegisterRequest } from '../../operations/issuing-batch.ts';
import { hashPassword } from '../../operations/password-hash.ts';
import { MAX_BATCH, registerInvoices } from '../../operations/register-invoices.ts';
import { replaceCertificate } from '../../operations/replace-certificate.ts';
import { createCustomer } from '../../operations/save-customer.ts';
import { saveDraft } from '../../operations/save-draft.ts';
import { createProduct } from '../../operations/save-product.ts';
import { companyOf, customerOf, Dice, type Party, PRODUCTS } from './people.ts';

export interface DemoAccount {
  readonly companyId: number;
  readonly nif: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** What the environment provides: a test certificate, and the behaviour of the simulated AEAT. */
export interface Outside {
  readonly certificate: (nif: string, name: string) => Promise<Buffer>;
  /** Sends what waits for a company until the AEAT has answered everything, or rejects something. */
  readonly settle: (companyId: number) => Promise<void>;
  /** Invoices (by number) that the AEAT will refuse, or accept with a warning, with a code. 0 resets. */
  readonly refuse: (codes: Readonly<Record<string, number>>) => Promise<void>;
}

const PASSWORD = 'tres faroles y una gaviota';
/** Older invoices do not fall under VERI*FACTU (RD 1007/2023). */
const DAYS_BACK = 730;
const FIRST_DAY = '2024-10-29';

/** Creates a company with everything: data, logo, certificate, customers, products and invoices. */
export async function fillCompany(
  deps: Deps,
  outside: Outside,
  facturas: number,
  onProgress: (registered: number) => void = () => {},
  dice = new Dice(randomInt(2 ** 32)),
): Promise<DemoAccount> {
  const account = await openAccount(deps, outside, dice);
  const customers = await createCustomers(deps, account.companyId, dice, facturas);
  for (const { name, unit, cents } of PRODUCTS) {
    const body = { Name: name, UnitOfMeasure: unit, UnitPrice: euros(cents) };
    await createProduct(deps, account.companyId, ProductoBody.parse(body));
  }
  const story = new Story(deps, account.companyId, customers, dice);
  await story.registerYears(facturas, onProgress, () => outside.settle(account.companyId));
  await outside.settle(account.companyId);
  await story.leaveThingsToDo(outside);
  return account;
}

async function openAccount(deps: Deps, outside: Outside, dice: Dice): Promise<DemoAccount> {
  const passwordHash = await hashPassword(PASSWORD);
  for (;;) {
    const { name, nif, address, postCode }: Party = companyOf(dice);
    const email = `demo-${nif.toLowerCase()}@ejemplo.es`;
    const now = deps.clock();
    const companyId = await deps.sql.begin((tx) =>
      createCompany(
        tx,
        {
          nif,
          email,
          name,
          address,
          postCode,
          countryCode: 'ES',
          passwordHash,
          termsAcceptedAt: now,
          termsVersion: TERMS_VERSION,
          subscriptionType: 'annual',
          subscriptionEndsAt: new Date(now.getTime() + 365 * 86_400_000),
        },
        now,
        deps.config.aeat,
      ),
    );
    if (companyId === null) continue; // The NIF is already taken.
    const place = { Address: address, postCode, countryCode: 'ES', Municipio: 'Madrid' };
    await changeCompanyData(deps, companyId, { Name: name, VATRegistrationNo: nif, ...place });
    const file = { fileName: `${nif}.p12`, data: await outside.certificate(nif, name) };
    await replaceCertificate(deps, companyId, file, 'prueba');
    await changePicture(deps, companyId, await logoOf(name));
    return { companyId, nif, name, email, password: PASSWORD };
  }
}

/** The initials of the name on a coloured background. */
async function logoOf(name: string): Promise<string> {
  const initials = name
    .replace(/, S\.[LA]\.$/, '')
    .split(' ')
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><rect width="320" height="320" rx="56" fill="#1f4e5f"/><text x="160" y="210" font-family="sans-serif" font-size="140" font-weight="700" text-anchor="middle" fill="#fff">${initials}</text></svg>`;
  return (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64');
}

async function createCustomers(
  deps: Deps,
  companyId: number,
  dice: Dice,
  facturas: number,
): Promise<string[]> {
  const count = Math.min(400, Math.max(12, Math.round(facturas / 20)));
  const numbers: string[] = [];
  for (let index = 0; index < count; index++) {
    const { name, nif, address, postCode, email } = customerOf(dice, index);
    const customer = await createCustomer(
      deps,
      companyId,
      ClienteBody.parse({
        Name: name,
        VATRegistrationNo: nif,
        Address: address,
        postCode,
        Email: email,
      }),
    );
    numbers.push(customer.No);
  }
  return numbers;
}

/** The invoices of a company in order: those of two years, and what is left to do today. */
class Story {
  readonly #deps: Deps;
  readonly #companyId: number;
  readonly #customers: readonly string[];
  readonly #dice: Dice;
  readonly #today: string;

  constructor(deps: Deps, companyId: number, customers: readonly string[], dice: Dice) {
    this.#deps = deps;
    this.#companyId = companyId;
    this.#customers = customers;
    this.#dice = dice;
    this.#today = isoDateIn(deps.clock(), 'Europe/Madrid');
  }

  /** In the order of their dates, as each series requires; sends from time to time. */
  async registerYears(
    facturas: number,
    onProgress: (registered: number) => void,
    settle: () => Promise<void>,
  ): Promise<void> {
    let sending: Promise<void> = Promise.resolve();
    let unsent = 0;
    const numbers: string[] = [];
    for (let done = 0; done < facturas; ) {
      const count = Math.min(MAX_BATCH, facturas - done);
      const drafts = Array.from({ length: count }, (_, i) =>
        this.#draft(this.#dayOf((done + i) / facturas), numbers),
      );
      const registered = await this.#register(drafts);
      // Some to be rectified later: the last ones, so that there are a few whatever the number.
      numbers.push(...registered.filter((_, i) => isOrdinary(drafts[i])).slice(0, 3));
      if (numbers.length > 60) numbers.splice(0, 30);
      done += count;
      unsent += count;
      onProgress(done);
      if (unsent >= 4000) {
        unsent = 0;
        await sending;
        sending = settle();
        sending.catch(() => undefined); // Awaited before the next one.
      }
    }
    await sending;
  }

  /** Drafts, a refused invoice with two behind it, one with a warning, and an annulled one. */
  async leaveThingsToDo(outside: Outside): Promise<void> {
    const { companyId } = { companyId: this.#companyId };
    const [warned, annulled] = await this.#register([this.#ordinary(), this.#ordinary()]);
    await outside.settle(companyId);
    if (annulled) {
      await cancelInvoice(this.#deps, companyId, {
        docNo: annulled,
        motivo: 'Emitida dos veces por error',
      });
      await outside.settle(companyId);
    }
    const [next] = await this.#numbersAfter(warned);
    if (next) {
      await outside.refuse({ [next.warned]: 2005, [next.refused]: 1239 });
      await this.#register([this.#ordinary(), this.#ordinary()]);
      await outside.settle(companyId);
      await outside.refuse({ [next.warned]: 0, [next.refused]: 0 });
      await this.#register([this.#ordinary(), this.#ordinary()]);
    }
    for (let i = 0; i < 3; i++) {
      await saveDraft(this.#deps, companyId, { draft: this.#ordinary() });
    }
  }

  /** The two numbers after the last two ordinary ones. */
  async #numbersAfter(
    docNo: string | undefined,
  ): Promise<readonly [{ readonly warned: string; readonly refused: string }] | readonly []> {
    const found = /^(\d+)(.*)$/.exec(docNo ?? '');
    if (!found?.[1]) return [];
    const numbered = (more: number) =>
      `${String(Number(found[1]) + more).padStart(found[1]?.length ?? 0, '0')}${found[2]}`;
    return [{ warned: numbered(2), refused: numbered(3) }];
  }

  async #register(drafts: readonly InvoiceDraft[]): Promise<string[]> {
    const requests: RegisterRequest[] = drafts.map((draft) => ({ draft, sendsToCustomer: false }));
    const outcomes = await registerInvoices(this.#deps, this.#companyId, requests);
    return outcomes.map((outcome) => {
      if (outcome.kind === 'refused') throw outcome.error;
      return outcome.answer.DocNo;
    });
  }

  /** @param share position within the years, 0 to 1; more frequent towards today */
  #dayOf(share: number): string {
    const days = Math.floor(DAYS_BACK * (1 - share ** 0.8));
    const day = addDays(this.#today, -Math.max(0, days - 1));
    return day < FIRST_DAY ? FIRST_DAY : day;
  }

  #ordinary(): InvoiceDraft {
    return this.#draft(this.#today, [], 'ordinary');
  }

  #draft(day: string, toRectify: readonly string[], kind?: 'ordinary'): InvoiceDraft {
    const dice = this.#dice;
    const luck = kind ? 1 : dice.roll();
    const isSimplified = luck < 0.08;
    const rectified =
      luck >= 0.08 && luck < 0.1 && toRectify.length > 0 ? dice.of(toRectify) : null;
    const lines = isSimplified || rectified ? 1 : dice.int(1, 4);
    return Draft.parse({
      type: rectified ? 'abono' : 'factura',
      invoiceDate: day,
      invoiceType: isSimplified ? 1 : 0,
      isSimplificada: isSimplified,
      // A few customers buy most.
      invoiceClient:
        this.#customers[Math.floor(dice.roll() ** 2 * this.#customers.length)] ??
        this.#customers[0],
      invoiceToRectify: rectified ?? '',
      invoiceItems: Array.from({ length: lines }, () => {
        const { name, cents, tax } = dice.of(PRODUCTS);
        return {
          description: name,
          quantity: String(isSimplified ? dice.int(1, 3) : dice.int(1, 12)),
          price: euros(Math.round(cents * (0.9 + dice.roll() * 0.2))),
          tax,
          linetype: 0,
        };
      }),
    });
  }
}

/** One that an R1 may rectify. */
function isOrdinary(draft: InvoiceDraft | undefined): boolean {
  return draft?.type === 'factura' && !draft.isSimplificada;
}

/** `6550` → `65,50` */
function euros(cents: number): string {
  return `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
}
