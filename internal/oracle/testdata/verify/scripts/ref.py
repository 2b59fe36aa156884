"""ref.py: the statistics of endpoint verification in plain Python, and reference.json for tests"""
import itertools, json, math
def impute(calls):
    """calls: list of {token: logprob}; rows over the union of tokens, a missing one counts with its call's lowest"""
    ks=sorted(set().union(*calls)); return [[c.get(k,min(c.values())) for k in ks] for c in calls]
def lt_stat(z,inA):
    r=sum(inA); n=len(z); k=len(z[0]); s=0
    for j in range(k):
        a=sum(z[i][j] for i in range(n) if inA[i])/r; b=sum(z[i][j] for i in range(n) if not inA[i])/(n-r); s+=abs(a-b)
    return s/k
def lt_perm(groups):
    """groups: [(calls of A, calls of B)] one per prompt, r calls each side; exact p over all label splits within prompts (statistic: sum)"""
    per=[]
    for A,B in groups:
        z=impute(A+B); n=len(z); r=len(A)
        per.append([lt_stat(z,[i in s for i in range(n)]) for s in map(set,itertools.combinations(range(n),r))])
    obs=sum(p[0] for p in per); tot=hit=0
    for t in itertools.product(*per): tot+=1; hit+=sum(t)>=obs-1e-12
    return obs, hit/tot, tot
def confirm(a,b):
    """fresh answers of one screened prompt: exact p of the TV distance between the two samples under all label splits"""
    z=a+b; n=len(z); r=len(a)
    def tv(s): 
        A=[z[i] for i in s]; B=[z[i] for i in range(n) if i not in s]
        return sum(abs(A.count(x)/r-B.count(x)/(n-r)) for x in set(z))/2
    obs=tv(tuple(range(r))); al=list(itertools.combinations(range(n),r)); return obs,sum(tv(s)>=obs-1e-12 for s in al)/len(al)
class TwoSample:
    """e-process that both sides answer a prompt alike; one block = one answer of each side to the same prompt"""
    LAM=(.25,.5,.75,1.)
    def __init__(s): s.log=[0.]*4; s.c={}
    def add(s,prompt,x,y):
        A,B,n=s.c.setdefault(prompt,({},{},0)); seen=set(A)|set(B); x_=x if x in seen else None; y_=y if y in seen else None
        def q(C,v):
            pool=((A.get(v,0)+B.get(v,0) if v is not None else 0)+.5)/(2*n+.5*(len(seen)+1)); own=C.get(v,0) if v is not None else 0
            return (own+pool)/(n+1)
        r=(q(A,x_)*q(B,y_))/(((q(A,x_)+q(B,x_))/2)*((q(A,y_)+q(B,y_))/2))
        s.log=[l+math.log(1-g+g*r) for l,g in zip(s.log,s.LAM)]
        A[x]=A.get(x,0)+1; B[y]=B.get(y,0)+1; s.c[prompt]=(A,B,n+1)
        return r, sum(map(math.exp,s.log))/4
class Watch:
    def __init__(s,u=.05,H=365): s.u,s.H=u,H; s.lam=[f/u for f in (.1,.25,.5,.8)]; s.R=[0.]*4; s.d=0
    def day(s): s.R=[r+1 for r in s.R]; s.d+=1
    def add(s,y): s.R=[r*(1+l*(y-s.u)) for r,l in zip(s.R,s.lam)]; return sum(s.R)/4/s.H+(s.H-s.d)/s.H
if __name__=='__main__':
    out={}
    import random; R=random.Random(1)
    seq=[]; t=TwoSample()
    for i in range(60):
        p=i%2; x=R.choice('aaab' if p==0 else 'xyz'); y=R.choice('abbb' if p==0 else 'xyz'); r,e=t.add(p,x,y); seq.append([p,x,y,round(r,9),round(e,9)])
    out['two_sample']=seq
    w=Watch(); ys=[0]*24+[1,0,0,1,0,1,1,0,0,0,1,0]*3; pth=[]
    for i,y in enumerate(ys):
        if i%12==0: w.day()
        pth.append([y,round(w.add(y),9)])
    out['watch']=dict(u=.05,H=365,calls_a_day=12,path=pth)
    A=[{'1':-1.0,'2':-2.0,'3':-3.0},{'1':-1.01,'2':-2.0,'4':-3.1},{'1':-1.0,'2':-2.02,'3':-3.0}]
    B=[{'1':-1.2,'2':-1.8,'3':-3.0},{'1':-1.21,'2':-1.8,'3':-3.1},{'1':-1.2,'2':-1.82,'5':-3.0}]
    s,p,n=lt_perm([(A,B)]); out['lt_small']=dict(A=A,B=B,stat=s,p=p,splits=n)
    s,p,n=lt_perm([(A,B),(A,B)]); out['lt_small_two_prompts']=dict(stat=s,p=p,splits=n)
    out['confirm']=[dict(a=a,b=b,tv=confirm(a,b)[0],p=confirm(a,b)[1]) for a,b in ((list('xxxxx'),list('yyyyy')),(list('xxxxy'),list('yyyyy')),(list('xxxxx'),list('xxxxx')),(list('xyxyx'),list('yyxyy')))]
    json.dump(out,open('./fixtures/reference.json','w'),indent=0)
    print(out['lt_small']['p'],out['lt_small_two_prompts']['p'],[c['p'] for c in out['confirm']],seq[-1],pth[-1])
