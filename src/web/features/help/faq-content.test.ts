import { describe, expect, it } from 'vitest';
import { CARDS, findQuestions, GROUPS } from './faq-content.ts';

it('has six cards and four groups', () => {
  expect(CARDS).toHaveLength(6);
  expect(GROUPS.map(({ title }) => title)).toEqual([
    'Certificado digital',
    'Envío y registro de facturas',
    'Funcionalidad del sistema',
    'Suscripción y acceso',
  ]);
});

describe('findQuestions', () => {
  const questions = [
    { question: '¿Qué pasa si caduca?', answer: 'No se puede enviar nada.' },
    { question: '¿Dónde lo subo?', answer: 'En tu perfil.' },
  ];

  it('finds all the words, ignoring accents and case', () => {
    expect(findQuestions(questions, 'QUE caduca')).toEqual([questions[0]]);
    expect(findQuestions(questions, 'donde perfil')).toEqual([questions[1]]);
    expect(findQuestions(questions, 'caduca perfil')).toEqual([]);
  });

  it('finds text that is only on the front of a card', () => {
    expect(findQuestions(CARDS, 'real decreto y una orden')).toEqual([CARDS[1]]);
  });

  it('keeps everything without a search', () => {
    expect(findQuestions(questions, '  ')).toEqual(questions);
  });
});
