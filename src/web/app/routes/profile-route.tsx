import { IntegrationsSection } from '../../features/integrations/integrations-section.tsx';
import { ProfilePage } from '../../features/profile/profile-page.tsx';

/** The profile; what it says of other programs is another feature's. */
export function Component() {
  return <ProfilePage integrations={<IntegrationsSection />} />;
}
