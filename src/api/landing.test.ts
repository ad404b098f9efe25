import { expect, it } from 'vitest';
import { fillLanding, landingPages } from './landing.ts';

const provider = {
  publicUrl: 'https://huella.example',
  empresa: {
    razonSocial: 'Facturas & Huellas, S.L.',
    nif: 'B12345674',
    direccion: 'Calle Mayor, 1, 28013 Madrid',
    telefono: '+34 910 11 22 33',
    correo: 'hola@huella.example',
  },
  enlaces: {
    comoFunciona: 'https://huella.example/como',
    avisoLegal: 'https://huella.example/aviso?a=1&b=2',
    privacidad: '#',
    terminos: '#',
    pagos: '#',
  },
};
const template = [
  '<link rel="canonical" href="__publicUrl__/"/>',
  '<span>© 2020 <span>__empresa.razonSocial__</span></span>',
  '<a href="tel:">__empresa.telefono__</a>',
  '<a href="mailto:__empresa.correo__">__empresa.correo__</a>',
  '<a href="__enlaces.avisoLegal__" target="_blank">Aviso legal</a>',
].join('\n');

it('inserts the data of the installation, escaped for HTML, and the year', () => {
  expect(fillLanding(template, provider, 2027)).toBe(
    [
      '<link rel="canonical" href="https://huella.example/"/>',
      '<span>© 2027 <span>Facturas &amp; Huellas, S.L.</span></span>',
      '<a href="tel:+34910112233">+34 910 11 22 33</a>',
      '<a href="mailto:hola@huella.example">hola@huella.example</a>',
      '<a href="https://huella.example/aviso?a=1&amp;b=2" target="_blank">Aviso legal</a>',
    ].join('\n'),
  );
});

it('shows a gap for what is not configured', () => {
  const empresa = {
    ...provider.empresa,
    razonSocial: '[Razón social]',
    correo: '[correo@ejemplo.es]',
  };
  const filled = fillLanding(template, { ...provider, empresa }, 2027);
  expect(filled).toContain('<span class="hu-placeholder">[Razón social]</span>');
  expect(filled).toContain('<span class="hu-placeholder">[correo@ejemplo.es]</span>');
  expect(filled).not.toContain('mailto:');
});

it('is written again when the year changes, and only then', () => {
  let now = new Date('2026-12-31T12:00:00Z');
  const page = landingPages(template, provider, () => now);
  const before = page();
  expect(page()).toBe(before);
  now = new Date('2027-01-02T12:00:00Z');
  expect(page().html.toString()).toContain('© 2027');
  expect(page().etag).not.toBe(before.etag);
});
