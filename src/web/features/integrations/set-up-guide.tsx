import { Disclosure } from '../../ui/disclosure.tsx';
import classes from './integrations.module.css';

/** How to get what the form asks for, for the administrator of Business Central. */
export function SetUpGuide() {
  return (
    <Disclosure
      label="Cómo conseguir estos datos, en 5 pasos"
      isOpenAtFirst={false}
      isForcedOpen={false}
    >
      <ol className={classes.guide}>
        <li>
          En Microsoft Entra ID, en «Registros de aplicaciones», crea una aplicación llamada Huella.
          Copia su id. de aplicación y su id. de directorio (inquilino).
        </li>
        <li>
          En «Permisos de API» añade Dynamics 365 Business Central → Permisos de aplicación →
          API.ReadWrite.All, y concede el consentimiento de administrador.
        </li>
        <li>En «Certificados y secretos» crea un secreto y copia su valor: solo se ve una vez.</li>
        <li>
          En Business Central busca «Aplicaciones de Microsoft Entra», crea una con ese id. de
          aplicación, en estado «Habilitado», y dale el conjunto de permisos D365 BUS FULL ACCESS.
        </li>
        <li>
          Si Business Central envía a VERI*FACTU, desactívalo: cada venta la declara un solo
          programa.
        </li>
      </ol>
    </Disclosure>
  );
}
