/** A company that has signed up, as its browser knows it. */
export interface DemoCompany {
  readonly nif: string;
  readonly email: string;
  readonly password: string;
}

const PASSWORD = 'tres faroles y una gaviota';

/** Signs up for the Demo subscription. */
export async function signUp(baseUrl: string, nif: string): Promise<DemoCompany> {
  const email = `${nif.toLowerCase()}@obrador.test`;
  const form = new FormData();
  const fields = {
    email,
    password: PASSWORD,
    fullName: 'Obrador Candela, S.L.',
    cifNif: nif,
    address: 'Calle Mayor, 1',
    countryCode: 'ES',
    postCode: '28013',
    subscriptionType: '10',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const answer = await fetch(`${baseUrl}/api/Auth/NewRegisterDemo`, {
    method: 'POST',
    body: form,
  });
  if (!answer.ok) throw new Error(`Sign-up: ${answer.status} ${await answer.text()}`);
  return { nif, email, password: PASSWORD };
}

/** Signs in and returns the token. */
export async function signIn(baseUrl: string, { email, password }: DemoCompany): Promise<string> {
  const form = new FormData();
  form.set('Email', email);
  form.set('Password', password);
  const answer = await fetch(`${baseUrl}/api/Auth/login`, {
    method: 'POST',
    body: form,
  });
  if (!answer.ok) throw new Error(`Sign-in: ${answer.status} ${await answer.text()}`);
  const { tokenJWT } = (await answer.json()) as { tokenJWT: string };
  return tokenJWT;
}

/** Gives it a certificate issued by the simulated AEAT's own authority. */
export async function giveCertificate(baseUrl: string, token: string, nif: string): Promise<void> {
  const query = new URLSearchParams({ nif, nombre: 'Obrador Candela, S.L.' });
  const p12 = await fetch(`${baseUrl}/desarrollo/certificado?${query}`);
  const form = new FormData();
  form.set('Certificate', await p12.blob(), 'obrador-candela.p12');
  form.set('Password', 'prueba');
  const answer = await fetch(`${baseUrl}/api/PostData/UpdateCertificate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`Certificate: ${answer.status} ${await answer.text()}`);
}

/**
 * Creates a client: a small transaction.
 *
 * @returns the status of the answer
 */
export async function saveCustomer(baseUrl: string, token: string, name: string): Promise<number> {
  const form = new FormData();
  form.set('Name', name);
  const answer = await fetch(`${baseUrl}/api/PostData/SetClientes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  await answer.arrayBuffer();
  return answer.status;
}

export async function customerNames(baseUrl: string, token: string): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/api/GetData/GetClientes`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const customers = (await answer.json()) as { Name: string }[];
  return customers.map(({ Name }) => Name);
}
