import { expect, it } from 'vitest';
import { readPicture } from './picture-file.ts';

const file = (bytes: Uint8Array<ArrayBuffer>, type: string) => new File([bytes], 'logo', { type });

it('encodes the bytes of a big image, whatever they are', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  const read = await readPicture(file(bytes, 'image/png'));
  expect(read.ok && Uint8Array.from(atob(read.base64), (char) => char.charCodeAt(0))).toEqual(
    bytes,
  );
});

it('refuses what is no PNG or JPG, and what is too big', async () => {
  expect(await readPicture(file(new Uint8Array(10), 'image/svg+xml'))).toMatchObject({ ok: false });
  const big = new Uint8Array(2 * 1024 * 1024 + 1);
  expect(await readPicture(file(big, 'image/jpeg'))).toEqual({
    ok: false,
    mensaje: 'El logotipo no puede pasar de 2 MB.',
  });
});
