import { randomInt } from 'node:crypto';

/** A company's NIF (`B…`) with its check digit, so that each run has its own company. */
export function randomCompanyNif(): string {
  return companyNif(randomInt(2_000_000, 9_999_999));
}

/** The NIF of a company with these seven digits. */
export function companyNif(number: number): string {
  const digits = String(number);
  const sum = [...digits].reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}

/** A DNI, with its letter. */
export function randomDni(): string {
  const number = randomInt(10_000_000, 89_999_999);
  return `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`;
}
