import { ClienteBody } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import { fechaEs, isoDateIn } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { centsToEs, divRound } from '../domain/money.ts';
import { findPlan, isDemoApart } from '../domain/plans.ts';
import { territoryOf } from '../domain/postal-code.ts';
import { type Company, findCompanyByNif, findCompanyEvenClosed } from '../store/companies.ts';
import { findCustomer, restoreCustomer } from '../store/customers.ts';
import { findIssuedWithNotas } from '../store/issued-invoices.ts';
import { findLastAddress } from '../store/mail-jobs.ts';
import {
  leaveToInvoiceByHand,
  markInvoiced,
  type Payment,
  takePaymentsToInvoice,
} from '../store/payments.ts';
import { registerInvoice } from './register-invoice.ts';
import { changeCustomer, createCustomer } from './save-customer.ts';

const RETRY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const AT_ONCE = 20;
/** Where the provider is: `carriesIva`. */
const ZONE = 'Europe/Madrid';
/** Prices are final: they include this IVA. LIVA art. 90.1. */
const IVA_PERCENT = 21n;

/**
 * Issues the provider's own invoice for each paid subscription, in the provider's account and with its certificate,
 * and sends it to the payer (`FACTURAR_SUSCRIPCIONES=si`). The invoice states that it is paid, and when: IVA falls
 * due that day, however late the invoice (LIVA art. 75.Dos; RD 1619/2012 art. 6.1.i).
 *
 * Only sales subject to the IVA that the price includes. For a company in the Canary Islands, Ceuta, Melilla or
 * abroad the tax is another one (LIVA art. 69): those are left to a person, and logged once (`npm run admin -- pagos
 * facturado`). A payer who has closed the account since is invoiced like the others.
 *
 * @returns how many were issued
 */
export async function invoiceSubscriptions(deps: Deps): Promise<number> {
  const { sql, clock, config } = deps;
  if (!config.facturaSuscripciones) return 0;
  const provider = await findCompanyByNif(sql, config.empresa.nif);
  if (!provider) {
    deps.log.warn('the provider has no account to invoice its subscriptions from');
    return 0;
  }
  // Invoices of a demo do not count, and each payment is invoiced only once.
  if (isDemoApart(config.aeat, provider)) {
    deps.log.warn('the provider is in its demo: its subscriptions are invoiced once it is not');
    return 0;
  }
  const now = clock();
  const payments = await takePaymentsToInvoice(sql, {
    now,
    retryBefore: new Date(now.getTime() - RETRY_MS),
    limit: AT_ONCE,
  });
  let issued = 0;
  for (const payment of payments) {
    if (await invoiceOne(deps, provider, payment, now)) issued++;
  }
  return issued;
}

async function invoiceOne(
  deps: Deps,
  provider: Company,
  payment: Payment,
  now: Date,
): Promise<boolean> {
  const buyer = await findBuyer(deps, payment.companyId ?? 0);
  const about = { dsOrder: payment.dsOrder };
  if (!buyer || !carriesIva(buyer)) {
    await leaveToInvoiceByHand(deps.sql, payment.dsOrder, now);
    deps.log.error(about, 'somebody has to invoice a subscription by hand');
    return false;
  }
  const invoiceDate = isoDateIn(now, ZONE);
  const paidOn = isoDateIn(paidAt(payment, now), ZONE);
  const notas = `Pagada con tarjeta el ${fechaEs(paidOn)}, pedido ${payment.orderId}.`;
  const customerNo = customerNoOf(buyer);
  // After a crash before it was marked and a day without a dispatcher, its idempotency key has been forgotten.
  const before = await findIssuedWithNotas(deps.sql, provider.id, { customerNo, notas });
  if (before !== null) {
    await markInvoiced(deps.sql, payment.dsOrder, before);
    return false;
  }
  try {
    const { DocNo } = await registerInvoice(deps, provider.id, {
      draft: {
        type: 'factura',
        invoiceNumber: '',
        invoiceDate,
        ...(paidOn !== invoiceDate && { fechaOperacion: paidOn }),
        invoiceType: 0,
        crmemoType: 0,
        invoiceClient: await customerOf(deps, provider.id, buyer),
        typeClient: 'NAC',
        isSimplificada: false,
        claveRegimen: '01',
        invoiceItems: [lineOf(payment)],
        invoiceToRectify: '',
        tipoRectificativa: 'I',
        notas,
      },
      sendsToCustomer: buyer.email !== '',
      askedBy: about,
      // So that a crash before the next statement does not lead to two invoices for one payment.
      idempotency: { key: `suscripcion-${payment.dsOrder}`, requestHash: payment.dsOrder },
    });
    await markInvoiced(deps.sql, payment.dsOrder, DocNo);
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    deps.log.error({ ...about, err: error }, 'the invoice of a subscription was not issued');
    return false;
  }
}

/**
 * When the card was charged: the moment of the notification. If the outcome came more than a day late, through a query
 * or by hand, the moment the payment began, since typing a card takes minutes.
 */
function paidAt({ createdAt, settledAt }: Payment, now: Date): Date {
  const told = settledAt ?? now;
  return told.getTime() - createdAt.getTime() > DAY_MS ? createdAt : told;
}

/** A closed account has lost its e-mail: the invoice goes to the address that was told of the closing. */
async function findBuyer({ sql }: Deps, companyId: number): Promise<Company | null> {
  const buyer = await findCompanyEvenClosed(sql, companyId);
  if (buyer?.email !== '') return buyer;
  return { ...buyer, email: (await findLastAddress(sql, companyId)) ?? '' };
}

/** IVA of the peninsula and the Balearic Islands, of Navarre and of the Basque Country. */
const carriesIva = ({ countryCode, postCode }: Company): boolean =>
  countryCode === 'ES' && ['peninsula', 'foral'].includes(territoryOf(postCode));

const customerNoOf = ({ nif }: Company): string => `SUS-${nif}`;

/** The buyer as a customer of the provider, with its current data. */
async function customerOf(deps: Deps, providerId: number, buyer: Company): Promise<string> {
  const No = customerNoOf(buyer);
  const body = ClienteBody.parse({
    No,
    Name: buyer.name,
    VATRegistrationNo: buyer.nif,
    Address: buyer.address,
    postCode: buyer.postCode,
    countryCode: buyer.countryCode,
    Email: buyer.email,
    PaymentMethod: 'TARJETA',
    PaymentTerms: 'CON',
  });
  // A deleted customer with invoices only disappears from the lists: its code stays taken.
  const known =
    (await findCustomer(deps.sql, providerId, No)) ??
    (await restoreCustomer(deps.sql, providerId, No));
  await (known ? changeCustomer : createCustomer)(deps, providerId, body);
  return No;
}

/** `5399` including IVA is 44,62 plus 9,37. */
function lineOf({ plan, amountCents, orderId }: Payment) {
  const base = divRound(amountCents * 100n, 100n + IVA_PERCENT);
  if (base + divRound(base * IVA_PERCENT, 100n) !== amountCents) {
    throw new Error(`${amountCents} cents are no base with its IVA.`);
  }
  return {
    description: `Suscripción ${findPlan(plan)?.name.toLowerCase()} a Huella, pedido ${orderId}`,
    quantity: '1',
    price: centsToEs(base),
    tax: `IVA${IVA_PERCENT}`,
    linetype: 0,
  };
}
