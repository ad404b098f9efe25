import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isoDateIn, type Zona, zonaOf } from '../../domain/dates.ts';
import { datosEmpresaQuery } from '../lib/queries.ts';

const MINUTE_MS = 60_000;

/**
 * Today in that time zone, also after midnight or after the device slept: updated every minute, and whenever the window
 * becomes visible.
 */
export function useToday(zona: Zona): string {
  const [today, setToday] = useState(() => isoDateIn(new Date(), zona));
  useEffect(() => {
    const look = () => setToday(isoDateIn(new Date(), zona));
    look();
    const timer = setInterval(look, MINUTE_MS);
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [zona]);
  return today;
}

/** Today where the company is. */
export function useCompanyToday(): string {
  const { data } = useQuery(datosEmpresaQuery);
  return useToday(zonaOf(data?.postCode ?? '', data?.countryCode ?? ''));
}
