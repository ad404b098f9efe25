import { BRAND_HUELLA, HUELLA_00039, HUELLA_00040, HUELLA_00041_CHANGED } from '../../ui/brand.ts';

/** A plausible company, the same everywhere. It is invented; its NIFs have valid control characters. */
export const EXAMPLE = {
  issuer: {
    name: 'Obrador Candela, S.L.',
    nif: 'B50482173',
    street: 'Calle de San Blas, 14',
    city: '50003 Zaragoza',
  },
  customer: {
    name: 'Hotel Mirador del Moncayo, S.A.',
    data: 'NIF A50163302 · 50500 Tarazona (Zaragoza)',
  },
  previous: { number: '00040/LO', total: '1.021,10 €', huella: HUELLA_00040 },
  older: { number: '00039/LO', total: '772,20 €', huella: HUELLA_00039 },
  invoice: {
    number: '00041/LO',
    date: '20/11/2026',
    due: '20/12/2026',
    huella: BRAND_HUELLA,
    base: '508,80 €',
    vat: '48,10 €',
    total: '556,90 €',
  },
  changed: { total: '556,91 €', huella: HUELLA_00041_CHANGED },
  next: { number: '00042/LO' },
  lines: [
    ['Barra de masa madre, 400 g', '120 ud', '1,15', '4 %', '138,00'],
    ['Hogaza de centeno, 1 kg', '24 ud', '4,20', '4 %', '100,80'],
    ['Cruasán de mantequilla', '90 ud', '0,95', '10 %', '85,50'],
    ['Tarta de almendra, 12 raciones', '3 ud', '26,50', '10 %', '79,50'],
    ['Reparto diario, semana 47', '5 entregas', '12,00', '21 %', '60,00'],
    ['Alquiler de vitrina refrigerada, noviembre', '1 mes', '45,00', '21 %', '45,00'],
  ],
} as const;
