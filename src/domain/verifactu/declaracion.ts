/**
 * The declaración responsable of the system (Orden HAC/1177/2024 art. 15). Panel, public page and PDF are made from
 * this, with the same constants that each registro carries.
 */

import { fechaEs } from '../dates.ts';
import { PRODUCTO } from './sistema.ts';

/** Every released version with the day of its declaration, newest first. */
export const VERSIONES_DECLARADAS: readonly {
  readonly version: string;
  /** `YYYY-MM-DD` */
  readonly fecha: string;
  readonly lugar: string;
}[] = [{ version: '0.1.0', fecha: '2026-11-20', lugar: 'Madrid (España)' }];

const TITULO_DECLARACION = 'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN';

/** Who answers for the system. */
export interface ProductorDeclarante {
  readonly razonSocial: string;
  readonly nif: string;
  readonly direccion: string;
  readonly correo: string;
  readonly telefono: string;
  readonly web: string;
}

export interface Apartado {
  /** That of art. 15.1; empty in the annex. */
  readonly letra: string;
  readonly epigrafe: string;
  readonly parrafos: readonly string[];
}

export interface DeclaracionResponsable {
  readonly titulo: string;
  readonly version: string;
  readonly apartados: readonly Apartado[];
  readonly anexo: readonly Apartado[];
}

/**
 * The text of one version, with its data in the order of the law and a heading for each.
 *
 * @returns null for a version that was never declared
 */
export function declaracionResponsable(
  productor: ProductorDeclarante,
  version: string,
): DeclaracionResponsable | null {
  const declarada = VERSIONES_DECLARADAS.find((one) => one.version === version);
  if (!declarada) return null;
  const uno = (letra: string, epigrafe: string, ...parrafos: string[]): Apartado => ({
    letra,
    epigrafe,
    parrafos,
  });
  return {
    titulo: TITULO_DECLARACION,
    version,
    apartados: [
      uno('a', 'Nombre del sistema informático', PRODUCTO.NombreSistemaInformatico),
      uno('b', 'Código identificador del sistema informático', PRODUCTO.IdSistemaInformatico),
      uno('c', 'Identificador completo de la versión concreta', version),
      uno(
        'd',
        'Componentes, hardware y software, y sus funciones',
        'Aplicación web, que se usa con un navegador: crea, registra, consulta y rectifica las facturas de una empresa, muestra el estado de sus registros y permite verificarlos, exportarlos y conciliarlos con la Agencia Tributaria.',
        'Programa servidor, que se ejecuta sobre Node.js: comprueba cada factura, genera su registro de facturación con la huella SHA-256 y el encadenamiento, dibuja el PDF con su código QR y envía los registros a la Agencia Tributaria con el certificado de cada empresa.',
        'Base de datos PostgreSQL: guarda facturas y registros, que no admiten cambio ni borrado.',
        'Herramientas de comprobación sin conexión, de línea de órdenes y de navegador: recalculan las huellas y siguen la cadena de cualquier exportación.',
        'No requiere hardware específico: funciona en cualquier ordenador o servidor de uso general.',
      ),
      uno(
        'e',
        '¿Solo puede funcionar como «VERI*FACTU»?',
        PRODUCTO.TipoUsoPosibleSoloVerifactu === 'S'
          ? 'Sí. El sistema funciona exclusivamente como «VERI*FACTU».'
          : 'No.',
      ),
      uno(
        'f',
        '¿Permite que lo usen varios obligados tributarios, o uno con varias facturaciones?',
        PRODUCTO.TipoUsoPosibleMultiOT === 'S'
          ? 'Sí. Cada obligado tributario tiene su propia cuenta, con sus registros, su cadena y su número de instalación, separados de los demás.'
          : 'No.',
      ),
      uno(
        'g',
        'Tipos de firma de los registros cuando no funciona como «VERI*FACTU»',
        'Ninguno: al funcionar exclusivamente como «VERI*FACTU», los registros no se firman.',
      ),
      uno('h', 'Nombre o razón social de la entidad productora', productor.razonSocial),
      uno('i', 'Número de identificación fiscal español de la entidad productora', productor.nif),
      uno('j', 'Dirección postal completa de contacto', productor.direccion),
      uno(
        'k',
        'Declaración de cumplimiento',
        `${productor.razonSocial} hace constar que el sistema informático, en la versión indicada, cumple con lo dispuesto en el artículo 29.2.j) de la Ley 58/2003, de 17 de diciembre, General Tributaria, en el Reglamento que establece los requisitos que deben adoptar los sistemas y programas informáticos o electrónicos que soporten los procesos de facturación de empresarios y profesionales, y la estandarización de formatos de los registros de facturación, aprobado por el Real Decreto 1007/2023, de 5 de diciembre, en la Orden HAC/1177/2024, de 17 de octubre, y en la sede electrónica de la Agencia Estatal de Administración Tributaria para todo aquello que complete las especificaciones de dicha orden.`,
      ),
      uno(
        'l',
        'Fecha y lugar en que se suscribe',
        `${fechaEs(declarada.fecha)}, ${declarada.lugar}.`,
      ),
    ],
    anexo: [
      uno('', 'Otras formas de contacto', `${productor.correo} · ${productor.telefono}`),
      uno('', 'Dirección de Internet', productor.web),
      uno(
        '',
        'Cómo cumple',
        'Integridad e inalterabilidad: lo registrado no se puede cambiar ni borrar, tampoco por quien administra la base de datos con los permisos de la aplicación; cualquier cambio hecho por fuera se descubre al verificar la cadena.',
        'Trazabilidad: cada registro lleva la huella del anterior, en una sola cadena por empresa y número de instalación, y la hora exacta con su huso.',
        'Remisión: los registros salen solos al expedir cada factura, en su orden; si hay un corte, al recuperarse, y la pantalla dice cuántos esperan y por qué.',
        'Conservación, accesibilidad y legibilidad: la empresa consulta y exporta cuando quiere el XML exacto de sus registros y las respuestas de la Agencia Tributaria.',
      ),
    ],
  };
}
