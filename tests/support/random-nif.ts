import { randomInt } from 'node:crypto';

/** A company's NIF (`B…`) with its check digit, so that each run has its own company. */
export function randomCompanyNif(): string {
  const digits = String(randomInt(1_000_000, 9_999_999));
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
