import { expect, it } from 'vitest';
import { fileProblem } from './file-problem.ts';

const MB = 1024 * 1024;
const file = (name: string, size = 1000, type = '') => ({ name, size, type });

it.each([
  [file('factura.pdf')],
  [file('Factura.JPEG')],
  [file('escaneo.png', 10 * MB)],
  [file('sin-extension', 1000, 'application/pdf')],
])('accepts $name', (given) => {
  expect(fileProblem(given)).toBeNull();
});

it.each([
  [file('hoja.xlsx'), 'No es un PDF, un JPG ni un PNG.'],
  [file('IMG_0001.HEIC'), 'Las fotos HEIC no se pueden leer. Convierte la foto a JPG.'],
  [file('foto.jpg', 5, 'image/heif'), 'Las fotos HEIC no se pueden leer. Convierte la foto a JPG.'],
  [file('vacia.pdf', 0), 'El archivo está vacío. Vuelve a guardarlo o a descargarlo.'],
  [
    file('enorme.pdf', 10 * MB + 1),
    'Ocupa 10,1\u00a0MB y el máximo son 10 MB. Guárdalo con menos calidad o sepáralo.',
  ],
])('says why it does not accept $name', (given, sentence) => {
  expect(fileProblem(given)).toBe(sentence);
});
