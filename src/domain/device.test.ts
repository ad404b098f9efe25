import { describe, expect, it } from 'vitest';
import { deviceWords, truncatedAddress } from './device.ts';

describe('deviceWords', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome en Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/143.0.0.0`, 'Edge en Windows'],
    [`Mozilla/5.0 (Linux; Android 14; K) ${chrome}`, 'Chrome en Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari en iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox en Linux'],
    ['curl/8.5.0', 'Otro programa'],
    ['', 'Otro programa'],
  ])('%s', (userAgent, words) => {
    expect(deviceWords(userAgent)).toBe(words);
  });
});

describe('truncatedAddress', () => {
  it.each([
    ['83.45.12.77', '83.45.12.0'],
    ['::ffff:83.45.12.77', '83.45.12.0'],
    ['83.45.12.77:50234', '83.45.12.0'],
    ['2001:db8:12:34:56::7', '2001:db8:12::'],
    ['[2001:db8:12:34:56::7]:50234', '2001:db8:12::'],
    ['127.0.0.1', 'este equipo'],
    ['::1', 'este equipo'],
    ['', ''],
  ])('%s', (ip, truncated) => {
    expect(truncatedAddress(ip)).toBe(truncated);
  });
});
