/** A registered invoice as an electronic invoice, through the API. */

import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignedXml } from 'xml-crypto';
import type { IssuedInvoice } from '../../src/domain/invoice.ts';
import { draftOf, expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';
import { textAt, texts, xmlTree } from '../support/xml-tree.ts';

let world: World;
let company: TestCompany;

const CENTRE = 'Parties/BuyerParty/AdministrativeCentres/AdministrativeCentre/CentreCode';

const CITY = 'AccountingCustomerParty/Party/PostalAddress/CityName';

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
  await setPlan('annual');
});
afterAll(() => world.close());

const download = (No: string, formato: string, token = company.token) =>
  world.app.inject({
    method: 'POST',
    url: '/api/PostData/DescargarFacturaElectronica',
    headers: { authorization: `Bearer ${token}` },
    payload: { No, formato },
  });

const changeClient = async (change: object) =>
  expectOk(
    await company.call('POST', '/api/PostData/UpdateClientes', {
      No: company.customerNo,
      ...change,
    }),
  );

const changeCompany = async (change: object) => {
  const data = expectOk(
    await company.call<object>('GET', '/api/GetData/GetDatosEmpresa'),
  ) as Record<string, string>;
  const { Name, VATRegistrationNo, Address, countryCode, postCode } = data;
  expectOk(
    await company.call('POST', '/api/PostData/SetDatosEmpresa2', {
      Name,
      VATRegistrationNo,
      Address,
      countryCode,
      postCode,
      ...change,
    }),
  );
};

const setPlan = (plan: string) =>
  world.sql`update companies set subscription_type = ${plan} where id = ${company.id}`;

const registered = async () => expectOk(await company.register()).DocNo;

const documentOf = async (No: string) =>
  (await company.detailOf(No)).emitida as unknown as IssuedInvoice;

describe('an electronic invoice', () => {
  it('in UBL needs nothing beyond the invoice, and is named like its PDF', async () => {
    const No = await registered();
    const answer = await download(No, 'ubl');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="${No.replace('/', '-')}-ubl.xml"`,
    );
    expect(textAt(xmlTree(answer.body), 'ID')).toBe(No);
  });

  it("in Facturae asks for the towns, and takes them from today's client cards", async () => {
    const No = await registered();
    const refused = await download(No, 'facturae');
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      codigo: 'RULES_BROKEN',
      message: [
        'Falta el municipio de tu empresa: escríbelo en Perfil → Información de empresa.',
        'Falta el municipio de Cliente de Prueba, S.A.: escríbelo en la ficha del cliente.',
      ],
    });
    await changeCompany({ Municipio: 'Madrid' });
    await changeClient({ municipio: 'Barcelona' });
    const answer = await download(No, 'facturae');
    expect([answer.statusCode, answer.statusCode === 200 || answer.body]).toEqual([200, true]);
    const root = xmlTree(answer.body);
    expect(textAt(root, 'Parties/BuyerParty/LegalEntity/AddressInSpain/Town')).toBe('Barcelona');
    expect(texts(root, CENTRE)).toEqual([]);
    expect((await documentOf(No)).cliente).not.toHaveProperty('municipio');
  });

  it('does not use the town of another address: if the client has moved, it asks for the one of the invoice', async () => {
    await changeCompany({ Municipio: '' });
    await changeClient({ municipio: '' });
    const No = await registered();
    await changeCompany({ Address: 'Calle del Puerto, 7', postCode: '48001', Municipio: 'Bilbao' });
    await changeClient({ Address: 'Rúa Nova, 1', postCode: '15001', municipio: 'A Coruña' });
    const refused = await download(No, 'facturae');
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      [
        'Falta el municipio de tu empresa: su dirección en la factura (Calle Mayor, 1, 28013) no es la de hoy. Vuelve a ponerla en Perfil → Información de empresa, con su municipio, mientras la descargas.',
        'Falta el municipio de Cliente de Prueba, S.A.: su dirección en la factura (Gran Vía, 2, 08013) no es la de hoy. Vuelve a ponerla en la ficha del cliente, con su municipio, mientras la descargas.',
      ],
    ]);
    expect(textAt(xmlTree((await download(No, 'ubl')).body), CITY)).toBe('');
    await changeCompany({ Address: 'Calle Mayor, 1', postCode: '28013', Municipio: 'Madrid' });
    await changeClient({ Address: 'Gran Vía, 2', postCode: '08013', municipio: 'Barcelona' });
    expect((await download(No, 'facturae')).statusCode).toBe(200);
    expect(textAt(xmlTree((await download(No, 'ubl')).body), CITY)).toBe('Barcelona');
    // Nothing is taken from somebody else under the same code.
    await changeClient({ VATRegistrationNo: 'B85955367' });
    expect((await download(No, 'facturae')).json().message).toEqual([
      'Falta el municipio de Cliente de Prueba, S.A. en la factura, y su ficha ya no está o es de otro. Usa UBL o su PDF.',
    ]);
    await changeClient({ VATRegistrationNo: 'A58818501' });
  });

  it('is not asked for with the former town once the card has another address', async () => {
    await changeCompany({ Address: 'Calle del Puerto, 7' });
    await changeClient({ postCode: '15001' });
    expect(await company.call('GET', '/api/GetData/GetDatosEmpresa')).toMatchObject({
      body: { Address: 'Calle del Puerto, 7', Municipio: '' },
    });
    const No = await registered();
    expect((await download(No, 'facturae')).json().message).toEqual([
      'Falta el municipio de tu empresa: escríbelo en Perfil → Información de empresa.',
      'Falta el municipio de Cliente de Prueba, S.A.: escríbelo en la ficha del cliente.',
    ]);
    await changeCompany({ Address: 'Calle Mayor, 1', Municipio: 'Madrid' });
    await changeClient({ postCode: '08013', municipio: 'Barcelona' });
    // Changing anything else leaves the town as it is.
    await changeCompany({ Name: 'Talleres Prueba e Hijos, S.L.' });
    await changeClient({ Email: 'otro@ejemplo.es' });
    expect((await documentOf(await registered())).cliente?.municipio).toBe('Barcelona');
  });

  it('keeps the address and town of the invoice, and goes to the current office', async () => {
    const codes = {
      oficinaContable: ' l01280796',
      organoGestor: 'L01280796',
      unidadTramitadora: 'LA0003294',
    };
    await changeClient(codes);
    const No = await registered();
    expect((await documentOf(No)).cliente).toMatchObject({
      municipio: 'Barcelona',
      dir3: { ...codes, oficinaContable: 'L01280796', organoProponente: '' },
    });
    // The administration moved it to another office, which refuses invoices with the former codes.
    await changeClient({ unidadTramitadora: 'GE0003160', municipio: 'Badalona' });
    const root = xmlTree((await download(No, 'facturae')).body);
    expect(texts(root, CENTRE)).toEqual(['L01280796', 'L01280796', 'GE0003160']);
    // The address is that of the invoice.
    expect(textAt(root, 'Parties/BuyerParty/LegalEntity/AddressInSpain/Town')).toBe('Barcelona');
    // If the card has no codes, those of the invoice's day.
    await changeClient({ oficinaContable: '', organoGestor: '', unidadTramitadora: '' });
    const former = xmlTree((await download(No, 'facturae')).body);
    expect(texts(former, CENTRE)).toEqual(['L01280796', 'L01280796', 'LA0003294']);
  });

  it('is not available to another company, for a draft, nor for an annulled invoice', async () => {
    const other = await world.signUp('B85955367');
    const No = await registered();
    expect((await download(No, 'ubl', other.token)).statusCode).toBe(404);
    const draft = expectOk(
      await company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
        ...draftOf(company.customerNo, world.deps.clock()),
        accionFactura: 0,
      }),
    );
    const refused = await download(draft.DocNo, 'ubl');
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      expect.stringContaining('es un borrador'),
    ]);
    await company.sendAll();
    expectOk(await company.annul(No));
    expect((await download(No, 'ubl')).statusCode).toBe(200);
  });
});

describe('signed by the company', () => {
  it("has the signature of its certificate, which the company's log records", async () => {
    const No = await registered();
    const before = (await download(No, 'facturae')).body;
    const answer = await download(No, 'facturae-firmada');
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([
      200,
      `attachment; filename="${No.replace('/', '-')}.xsig"`,
    ]);
    expect(answer.body.replace(/<ds:Signature .*<\/ds:Signature>/, '')).toBe(before);
    const verifier = new SignedXml({ getCertFromKeyInfo: SignedXml.getCertFromKeyInfo });
    verifier.loadSignature(/<ds:Signature .*<\/ds:Signature>/.exec(answer.body)?.[0] ?? '');
    expect(verifier.checkSignature(answer.body)).toBe(true);
    const own = textAt(xmlTree(answer.body), 'Signature/KeyInfo/X509Data/X509Certificate');
    expect(new X509Certificate(Buffer.from(own, 'base64')).subject).toContain('B12345674');
    const log = await world.sql`
      select detail from security_events where company_id = ${company.id} and kind = 'factura-firmada'`;
    expect(log.map(({ detail }) => detail)).toEqual([No]);
  });

  it('is not signed if the invoice has no effect: in a demo, or annulled', async () => {
    const No = await registered();
    await company.sendAll();
    expectOk(await company.annul(No));
    await company.sendAll();
    const annulled = await download(No, 'facturae-firmada');
    expect([annulled.statusCode, annulled.json().message]).toEqual([
      409,
      `${No} está anulada y ya no se firma. Si la necesitas, descárgala sin firmar.`,
    ]);
    expect((await download(No, 'facturae')).statusCode).toBe(200);
    await setPlan('Demo');
    const ofDemo = await registered();
    await setPlan('annual');
    const demo = await download(ofDemo, 'facturae-firmada');
    expect([demo.statusCode, demo.json().message]).toEqual([
      409,
      `${ofDemo} es de demostración, sin validez fiscal, y no se firma. Descárgala sin firmar.`,
    ]);
    expect((await download(ofDemo, 'facturae')).statusCode).toBe(200);
  });

  it('is not signed with an expired certificate, nor without one', async () => {
    const No = await registered();
    await world.sql`
      update certificates set valido_hasta = '2020-01-01' where company_id = ${company.id}`;
    const expired = await download(No, 'facturae-firmada');
    expect([expired.statusCode, expired.json().message]).toEqual([
      409,
      expect.stringContaining('ha caducado'),
    ]);
    await world.sql`delete from certificates where company_id = ${company.id}`;
    expect((await download(No, 'facturae-firmada')).statusCode).toBe(403);
    expect((await download(No, 'facturae')).statusCode).toBe(200);
  });
});

describe('the codes of an administration', () => {
  it.each([
    [{ oficinaContable: 'L0128079' }, /^Oficina contable: Un código DIR3 tiene nueve caracteres/],
    [{ organoProponente: '012807966' }, /Órgano proponente: Un código DIR3/],
    [{ oficinaContable: 'L01280796' }, /^Órgano gestor: FACe pide los tres códigos/],
  ])('are refused with an explanation: %o', async (codes, says) => {
    const answer = await company.call<{ message: string[] }>(
      'POST',
      '/api/PostData/UpdateClientes',
      { No: company.customerNo, ...codes },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.message.join(' ')).toMatch(says);
  });
});
