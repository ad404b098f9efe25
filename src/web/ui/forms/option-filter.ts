import type { ComboboxItem, ComboboxParsedItem } from '@mantine/core';
import { fold } from '../table/search.ts';

interface FilterInput {
  readonly options: ComboboxParsedItem[];
  readonly search: string;
}

/** The filter of searchable selects: it ignores case and accents, so «Peru» finds «Perú». */
export function optionFilter({ options, search }: FilterInput): ComboboxItem[] {
  const wanted = fold(search.trim());
  return options.filter(
    (option): option is ComboboxItem => 'label' in option && fold(option.label).includes(wanted),
  );
}
