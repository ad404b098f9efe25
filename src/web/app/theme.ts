import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const huella: MantineColorsTuple = [
  '#EFFAF5',
  '#DDF3EA',
  '#C0E7D7',
  '#9DD6C0',
  '#77C1A6',
  '#52AC8E',
  '#319476',
  '#0F7B5F',
  '#06684F',
  '#07533F',
];
const amber: MantineColorsTuple = [
  '#FDF6ED',
  '#F9EBD8',
  '#F1D8B6',
  '#E5C18F',
  '#D4A766',
  '#C18D3E',
  '#A97418',
  '#9A6700',
  '#835803',
  '#6C4703',
];
const red: MantineColorsTuple = [
  '#FFF4F2',
  '#FFE6E2',
  '#FED0C8',
  '#FFB0A4',
  '#FF8877',
  '#F26453',
  '#D94637',
  '#B42318',
  '#991910',
  '#7A130B',
];
const blue: MantineColorsTuple = [
  '#F1F7FF',
  '#E2EEFE',
  '#C6DFFE',
  '#A1CBFF',
  '#7DB3F6',
  '#5C9BE7',
  '#4082CF',
  '#1D5FA8',
  '#144E8E',
  '#0E3D71',
];
const gray: MantineColorsTuple = [
  '#FAF9F6',
  '#F4F2ED',
  '#ECEAE4',
  '#E4E2DC',
  '#D3D1CA',
  '#8A918C',
  '#66706B',
  '#4A534E',
  '#2F3633',
  '#1B1F1D',
];
const dark: MantineColorsTuple = [
  '#E8ECEA',
  '#C3CAC6',
  '#9AA5A0',
  '#6C7772',
  '#343B38',
  '#2A302D',
  '#1A1E1C',
  '#121514',
  '#0E1110',
  '#0A0C0B',
];

/** Duration of appearing and disappearing, in milliseconds; colours take 120. */
const MOTION = 160;

const raised = { shadow: 'md', radius: 'md', transitionProps: { duration: 120 } } as const;

/** The component library in Huella's design: scales and defaults here, shapes in mantine.css. */
export const theme = createTheme({
  colors: { huella, amber, red, blue, gray, dark },
  primaryColor: 'huella',
  primaryShade: 7,
  white: '#FFFFFF',
  black: '#1B1F1D',
  autoContrast: false,
  fontFamily: 'var(--hu-font)',
  fontFamilyMonospace: 'var(--hu-font-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: {
    xs: '1.3334',
    sm: '1.3847',
    md: '1.4286',
    lg: '1.5',
    xl: '1.3334',
  },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '999px' },
  defaultRadius: 'md',
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--hu-shadow)',
    lg: 'var(--hu-shadow)',
    xl: 'var(--hu-shadow)',
  },
  breakpoints: { xs: '20em', sm: '48em', md: '64em', lg: '75em', xl: '90em' },
  headings: {
    fontFamily: 'var(--hu-font)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.75rem', fontWeight: '620' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem', fontWeight: '600' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem', fontWeight: '600' },
    },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  // By name: importing the components would put all of them into the first download.
  components: {
    Button: { defaultProps: { size: 'md' } },
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 'md' },
    },
    Input: { defaultProps: { size: 'md' } },
    InputWrapper: {
      defaultProps: { size: 'md', inputWrapperOrder: ['label', 'input', 'error', 'description'] },
    },
    Checkbox: { defaultProps: { size: 'sm', radius: 'sm' } },
    SegmentedControl: {
      defaultProps: {
        size: 'md',
        radius: 'md',
        withItemsBorders: false,
        transitionDuration: MOTION,
      },
    },
    Modal: {
      defaultProps: {
        size: 520,
        radius: 'lg',
        padding: 24,
        shadow: 'md',
        centered: true,
        closeButtonProps: { 'aria-label': 'Cerrar' },
        // Otherwise its <header> would count as another banner of the page.
        attributes: { header: { role: 'none' } },
        overlayProps: { color: 'var(--hu-overlay)', backgroundOpacity: 1 },
        transitionProps: { duration: MOTION, transition: 'fade-up' },
      },
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'none' } },
        transitionProps: { duration: MOTION },
      },
    },
    Collapse: { defaultProps: { transitionDuration: MOTION } },
    Notifications: { defaultProps: { transitionDuration: MOTION } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Cerrar' } } },
    // Closed lists are not in the page, so that a label only belongs to its field.
    Combobox: { defaultProps: { keepMounted: false } },
    // The list itself scrolls: the library's scroll area in it would be a tab stop that serves no purpose.
    Select: { defaultProps: { withScrollArea: false } },
    Autocomplete: { defaultProps: { withScrollArea: false } },
    MultiSelect: { defaultProps: { withScrollArea: false } },
    Menu: { defaultProps: { ...raised, withinPortal: true } },
    // Popovers are placed in the screen's `main`, and so in a landmark of the page.
    Popover: { defaultProps: { ...raised, portalProps: { target: 'main' } } },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        radius: 'sm',
        transitionProps: { duration: 120 },
        events: { hover: true, focus: true, touch: false },
      },
    },
    Badge: { defaultProps: { radius: 'sm', variant: 'light' } },
    Alert: { defaultProps: { radius: 'lg' } },
    Loader: { defaultProps: { size: 18 } },
    Skeleton: { defaultProps: { radius: 'xs' } },
  },
});

/** Mantine writes these itself after the page's styles, so they refer to our tokens here. */
const semantic = {
  '--mantine-color-body': 'var(--hu-paper)',
  '--mantine-color-text': 'var(--hu-ink)',
  '--mantine-color-bright': 'var(--hu-ink)',
  '--mantine-color-dimmed': 'var(--hu-muted)',
  '--mantine-color-placeholder': 'var(--hu-muted)',
  '--mantine-color-anchor': 'var(--hu-accent)',
  '--mantine-color-error': 'var(--hu-red-text)',
  '--mantine-color-success': 'var(--hu-green-text)',
  '--mantine-color-default': 'var(--hu-card)',
  '--mantine-color-default-hover': 'var(--hu-sunken)',
  '--mantine-color-default-color': 'var(--hu-ink)',
  '--mantine-color-default-border': 'var(--hu-line-button)',
  '--mantine-color-disabled': 'var(--hu-sunken)',
  '--mantine-color-disabled-color': 'var(--hu-disabled)',
  '--mantine-color-disabled-border': 'var(--hu-line)',
  '--mantine-color-huella-filled': 'var(--hu-fill)',
  '--mantine-color-huella-filled-hover': 'var(--hu-fill-hover)',
  '--mantine-color-huella-light': 'var(--hu-accent-soft)',
  '--mantine-color-huella-light-hover': 'var(--hu-accent-soft)',
  '--mantine-color-huella-light-color': 'var(--hu-accent-ink)',
  '--mantine-color-red-filled': 'var(--hu-danger)',
  '--mantine-color-red-filled-hover': 'var(--hu-danger-hover)',
  '--mantine-color-red-light': 'var(--hu-red-surface)',
  '--mantine-color-red-light-color': 'var(--hu-red-text)',
  '--mantine-color-amber-light': 'var(--hu-amber-surface)',
  '--mantine-color-amber-light-color': 'var(--hu-amber-text)',
  '--mantine-color-blue-light': 'var(--hu-blue-surface)',
  '--mantine-color-blue-light-color': 'var(--hu-blue-text)',
  '--mantine-color-gray-light': 'var(--hu-grey-surface)',
  '--mantine-color-gray-light-hover': 'var(--hu-sunken)',
  '--mantine-color-gray-light-color': 'var(--hu-grey-text)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: semantic,
  dark: semantic,
});
