/** Tried in this order, because browsers claim to be several. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
];

/**
 * `Chrome en Windows`, by which people recognise their own browser. The raw text that a program sends is not shown.
 */
export function deviceWords(userAgent: string): string {
  const nameOf = (table: typeof BROWSERS) => table.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = nameOf(BROWSERS);
  const system = nameOf(SYSTEMS);
  if (browser && system) return `${browser} en ${system}`;
  return browser ?? system ?? 'Otro programa';
}

/** This machine, or a proxy on it. */
export function isLoopback(ip: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(ip);
}

/**
 * An address without its last part: `83.45.12.0`, `2001:db8:12::`. It identifies a place, not a person. Some proxies pass
 * it on with the port of the call.
 */
export function truncatedAddress(ip: string): string {
  const v4 = /(\d+\.\d+\.\d+)\.\d+(:\d+)?$/.exec(ip)?.[1];
  if (v4) return v4 === '127.0.0' ? 'este equipo' : `${v4}.0`;
  if (ip === '::1') return 'este equipo';
  const groups = ip.replace('[', '').split('::')[0]?.split(':').filter(Boolean).slice(0, 3) ?? [];
  return groups.length === 0 ? '' : `${groups.join(':')}::`;
}
