import { Combobox, useCombobox } from '@mantine/core';
import { type KeyboardEvent, memo, useMemo } from 'react';
import type { Producto } from '../../../../contract/parties.ts';
import classes from './description-cell.module.css';
import { namedProduct, productOptions } from './most-used-first.ts';

const OFFERED = 8;

export interface DescriptionCellProps {
  readonly label: string;
  readonly value: string;
  readonly products: readonly Producto[];
  /** The tax of the line. */
  readonly tax: string;
  readonly priceOf: (tax: string, product: Producto) => string;
  readonly isReadOnly: boolean;
  readonly isWrong: boolean;
  readonly placeholder?: string;
  readonly place: string;
  /** The sheet that it is in opens with the focus on it. */
  readonly isFirst?: boolean | undefined;
  readonly describedBy?: string | undefined;
  readonly onChange: (text: string) => void;
  readonly onProduct: (product: Producto) => void;
  /** Enter, when it chooses nothing from the list. */
  readonly onEnter: (field: HTMLElement) => void;
}

/**
 * What is sold: free text, with the matching products offered below it, the most used first. The field grows with its
 * text, which is never cut off.
 */
export const DescriptionCell = memo(function DescriptionCell(props: DescriptionCellProps) {
  const { value, products, isReadOnly, placeholder = '' } = props;
  const list = useCombobox({ onDropdownClose: () => list.resetSelectedOption() });
  const offered = useMemo(
    () => (list.dropdownOpened ? productOptions(products, value, OFFERED) : []),
    [list.dropdownOpened, products, value],
  );
  const isOpen = offered.length > 0;
  const open = () => {
    if (!isReadOnly && products.length > 0) list.openDropdown();
  };

  const choose = (product: Producto) => {
    props.onProduct(product);
    list.closeDropdown();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'ArrowDown' && value === '' && !list.dropdownOpened) open();
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const isChoosing = isOpen && list.getSelectedOptionIndex() !== -1;
    if (isChoosing) return;
    // A code, or a whole name, that was just typed. Part of a name may also be all that is meant.
    const named = isOpen ? namedProduct(products, value) : undefined;
    if (named) choose(named);
    else props.onEnter(event.currentTarget);
  };

  return (
    <Combobox
      store={list}
      width="max-content"
      position="bottom-start"
      offset={2}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(No) => {
        const product = products.find((candidate) => candidate.No === No);
        if (product) choose(product);
        else list.closeDropdown();
      }}
    >
      <div className={classes.grow} data-text={`${value || placeholder} `}>
        {/*
         * With the list closed, the arrow keys move through the text as anywhere else. A multi-line text field may not
         * be a combobox (ARIA in HTML): it is a text box with a list.
         */}
        <Combobox.Target withKeyboardNavigation={isOpen}>
          <textarea
            aria-autocomplete="list"
            className={classes.input}
            rows={1}
            aria-label={props.label}
            aria-invalid={props.isWrong || undefined}
            aria-describedby={props.describedBy}
            data-place={props.place}
            data-autofocus={props.isFirst || undefined}
            placeholder={placeholder}
            value={value}
            disabled={isReadOnly}
            maxLength={1000}
            onChange={(event) => {
              props.onChange(event.currentTarget.value);
              open();
              // Called without a selection, it would search the whole document.
              if (list.getSelectedOptionIndex() !== -1) list.resetSelectedOption();
            }}
            onClick={() => value === '' && open()}
            onBlur={() => list.closeDropdown()}
            onKeyDown={onKeyDown}
          />
        </Combobox.Target>
      </div>
      <Combobox.Dropdown hidden={!isOpen} className={classes.list ?? ''}>
        <Combobox.Options aria-label="Productos">
          {offered.map((product) => (
            <Combobox.Option key={product.No} value={product.No} className={classes.option ?? ''}>
              <span>{product.Name}</span>
              <span className={classes.price}>{props.priceOf(props.tax, product)}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
});
